package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions.Sent;
import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.access.KeyAuthenticator;
import io.floodgate.gateway.access.KeyRing;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Reach;
import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.Rejection;
import io.helidon.http.Method;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every row of the table of routes, asked for with every kind of key. */
class AuthorizationTest extends GatewayFixture {
    private static final String ID = RequestBodies.ID;
    private static final String MINE = "mine.first";
    private static final String OTHER = "other";

    private final List<ApiKey> keys = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>();

    private final Map<Scope, String> scoped = new EnumMap<>(Map.of(
            Scope.PRODUCE, key(Set.of(Scope.PRODUCE), null, null),
            Scope.CONSUME, key(Set.of(Scope.CONSUME), null, null),
            Scope.OBSERVE, key(Set.of(Scope.OBSERVE), null, null),
            Scope.ADMIN, key(Set.of(Scope.ADMIN), null, null)));
    private final String ofQueues = key(Set.copyOf(Scope.OF_KEYS), List.of("mine.*"), null);
    private final String ofTenant = key(Set.of(Scope.PRODUCE, Scope.OBSERVE), null, "acme");
    private final List<Route> routes = Api.routes(
            TestApi.config(true, Duration.ZERO),
            logs,
            given.parts,
            QueueTopics.none(given.table),
            PartitionOwners.UNKNOWN,
            FakeSourceTopics.NONE);

    private String key(Set<Scope> scopes, List<String> queues, String tenant) {
        KeySecret secret = KeySecret.make(new SecureRandom());
        Identity identity = new Identity("key-" + keys.size(), queues, tenant);
        keys.add(new ApiKey(secret.id(), secret.hash(), scopes, identity, null));
        secrets.add(secret.reveal());
        return secret.reveal();
    }

    @Override
    protected boolean testMode() {
        return true;
    }

    @Override
    protected Duration defaultWait() {
        return Duration.ZERO;
    }

    @Override
    protected Authenticator callers() {
        return new KeyAuthenticator(() -> new KeyRing(keys), given.clock, given.nanos::get);
    }

    @BeforeEach
    void findNothing() {
        given.pass(Duration.ofMinutes(10));
        logs.reject(Rejection.notFound("job", ID));
        logs.reset();
    }

    private Got ask(Route route, String queue, String key) {
        given.pass(Duration.ofMinutes(1));
        logs.reset().reject(Rejection.notFound("job", ID));
        String path = route.path().replace("{name}", queue).replace("{partition}", "0");
        if (route.name().startsWith("set_aside")) path = path.replace("{id}", "0-1");
        if (route.name().startsWith("unique")) path = path.replace("{key}", "0".repeat(64));
        path = path.replaceAll("\\{[a-z]+}", ID);
        String query = route.method().equals(Method.GET) && namesQueue(route) ? "?queue=" + queue : "";
        if (route.path().equals("/ojs/v1/signals") && query.isEmpty()) query = "?event=payment&key=order-17";
        // A stream would never end.
        if (route.name().equals("event.stream")) query = "?channel=nonsense";
        given.closing.set(route.name().equals("stats.stream"));
        String body = route.method().equals(Method.GET) ? null : RequestBodies.of(route, queue);
        String[] headers = key == null ? new String[0] : new String[] {"Authorization", "Bearer " + key};
        Got got = send(route.method().text(), path + query, body, headers);
        for (String secret : secrets) assertThat(got.body() + got.headers()).doesNotContain(secret);
        return got;
    }

    private static String name(Route route) {
        return route.method().text() + " " + route.path();
    }

    private void rejected(int status, String code, Route route, String queue, String key) {
        Got got = ask(route, queue, key);
        assertThat(got.status()).as(name(route)).isEqualTo(status);
        assertThat(got.at("/error/code").stringValue()).as(name(route)).isEqualTo(code);
        assertThat(logs.sent()).as(name(route)).isEmpty();
    }

    private void passes(Route route, String queue, String key) {
        assertThat(ask(route, queue, key).status()).as(name(route)).isNotIn(401, 403);
    }

    private static boolean isOpen(Route route) {
        return route.scope() == Scope.PUBLIC;
    }

    @Test
    void is_needed_for_all_that_tells_of_any_client() {
        KeySecret unknown = KeySecret.make(new SecureRandom());
        for (Route route : routes)
            for (String wrong :
                    new String[] {null, "", "nonsense", unknown.reveal(), scoped.get(Scope.ADMIN) + "x", "fg_é"}) {
                if (isOpen(route)) passes(route, MINE, wrong);
                else rejected(401, "unauthenticated", route, MINE, wrong);
            }
        assertThat(routes.stream().filter(AuthorizationTest::isOpen).map(Route::path))
                .containsExactlyInAnyOrder(
                        "/",
                        "/ui/{file}",
                        "/docs",
                        "/docs/{file}",
                        "/docs/{section}/{file}",
                        "/docs/{section}/{group}/{file}",
                        "/health",
                        "/ojs/v1/health",
                        "/ready",
                        "/ojs/manifest",
                        "/ojs/v1/openapi.json");
    }

    @Test
    void is_for_its_scopes_alone() {
        for (Route route : routes)
            for (Scope scope : Scope.OF_KEYS) {
                if (isOpen(route) || route.scope() == scope) passes(route, MINE, scoped.get(scope));
                else rejected(403, "PERMISSION_DENIED", route, MINE, scoped.get(scope));
            }
    }

    @Test
    void of_some_queues_gets_no_further_than_these() {
        for (Route route : routes) {
            if (isOpen(route) || route.reach() == Reach.QUEUES) passes(route, MINE, ofQueues);
            else if (route.reach() == Reach.SERVER || route.reach() == Reach.TENANT)
                rejected(403, "PERMISSION_DENIED", route, MINE, ofQueues);
            else if (route.reach() == Reach.QUEUE) {
                passes(route, MINE, ofQueues);
                rejected(403, "PERMISSION_DENIED", route, OTHER, ofQueues);
            } else {
                passes(route, MINE, ofQueues);
                carryWhoAsks(route);
                if (namesQueue(route)) rejected(403, "PERMISSION_DENIED", route, OTHER, ofQueues);
            }
        }
    }

    /** All others that are about jobs have one's id: from those the partition keeps it away. */
    private static boolean namesQueue(Route route) {
        return switch (route.name()) {
            case "job.enqueue",
                    "job.enqueue_batch",
                    "job.enqueue_bulk",
                    "job.list",
                    "admin.job.list",
                    "worker.fetch",
                    "dead_letter.list",
                    "dead_letter.stats",
                    "dead_letter.retry",
                    "admin.dead_letter.list",
                    "admin.dead_letter.stats" -> true;
            default -> false;
        };
    }

    /** The partition decides by this: without it, nothing would be hidden. */
    private void carryWhoAsks(Route route) {
        for (Sent sent : logs.sent()) {
            Command command = sent.command();
            boolean isAboutJobs =
                    command instanceof JobCommand || command instanceof Extend || command instanceof Patient;
            if (isAboutJobs) assertThat(sent.by()).as(name(route)).isNotNull();
        }
    }

    /** Workers say themselves who they are. */
    @Test
    void goes_with_everything_that_producers_and_operators_change() {
        List<String> without = new ArrayList<>();
        for (Route route : routes) {
            if (route.scope() != Scope.PRODUCE && route.scope() != Scope.ADMIN) continue;
            // They look into their registry first, which does not answer here.
            if (route.path().contains("/schemas") || route.path().contains("/webhooks")) continue;
            ask(route, MINE, scoped.get(route.scope()));
            boolean isSaid = logs.sent().stream().allMatch(sent -> sent.by() != null);
            if (logs.sent().isEmpty() || !isSaid) without.add(name(route));
        }
        assertThat(without).isEmpty();
    }

    @Test
    void of_some_queues_sees_these_in_lists() {
        for (String queue : new String[] {MINE, OTHER})
            given.published("{\"name\":\"%s\",\"version\":1,\"created_at\":\"t\"}".formatted(queue));
        for (String list : new String[] {"/ojs/v1/queues", "/ojs/v1/admin/queues"}) {
            Got got = get(list, "Authorization", "Bearer " + ofQueues);
            assertThat(got.body()).contains(MINE).doesNotContain(OTHER);
            assertThat(got.at("/pagination/total").intValue()).isEqualTo(1);
        }
    }

    @Test
    void of_a_tenant_is_for_jobs_alone() {
        for (Route route : routes) {
            boolean inScope = route.scope() == Scope.PRODUCE || route.scope() == Scope.OBSERVE;
            if (isOpen(route) || (inScope && (route.reach() == Reach.JOBS || route.reach() == Reach.TENANT))) {
                passes(route, MINE, ofTenant);
                carryWhoAsks(route);
            } else {
                rejected(403, "PERMISSION_DENIED", route, MINE, ofTenant);
            }
        }
    }

    @Test
    void of_a_tenant_makes_its_jobs_alone_and_says_so_itself() {
        logs.answer("{\"state\":\"available\"}");
        String[] by = {"Authorization", "Bearer " + ofTenant};
        post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[]}", by).answers("{'job':{'meta':{'tenant_id':'acme'}}}");
        post("/ojs/v1/jobs", "{\"type\":\"a\",\"args\":[],\"meta\":{\"tenant_id\":\"other\"}}", by)
                .answers(400);
        get("/ojs/v1/jobs/" + ID, by[0], by[1], "X-OJS-Tenant", "other").answers(403);
    }

    @Test
    void shows_in_no_rejection_what_is_there_and_what_is_not() {
        get("/ojs/v1/nothing").answers(401);
        send("PURGE", "/ojs/v1/jobs", "{}").answers(401);
        get("/ojs/v1/nothing", "Authorization", "Bearer " + scoped.get(Scope.OBSERVE))
                .answers(404);
    }

    @Test
    void is_asked_for_as_browsers_and_clients_expect() {
        Got got = get("/ojs/v1/queues");
        assertThat(got.header("WWW-Authenticate")).startsWith("Bearer");
        assertThat(got.at("/error/ojs_code").stringValue()).isEqualTo("OJS-5000");
        get("/ojs/v1/queues", "Authorization", "bearer  " + scoped.get(Scope.OBSERVE))
                .answers(200);
        get("/ojs/v1/queues", "Authorization", "Basic " + scoped.get(Scope.OBSERVE))
                .answers(401);
        Got preflight = send(
                "OPTIONS",
                "/ojs/v1/queues",
                null,
                "Origin",
                TestApi.FRIENDLY_ORIGIN,
                "Access-Control-Request-Headers",
                "authorization");
        preflight.answers(204);
        assertThat(preflight.header("Access-Control-Allow-Headers").toLowerCase(Locale.ROOT))
                .isEqualTo("authorization");
    }

    @Test
    void can_be_guessed_a_few_times_only_and_is_still_let_in_then() {
        int limited = 0;
        for (int i = 0; i < 20; i++)
            if (get("/ojs/v1/queues", "Authorization", "Bearer guess-" + i).status() == 429) limited++;
        assertThat(limited).isEqualTo(10);
        assertThat(get("/ojs/v1/queues", "Authorization", "Bearer guess").header("Retry-After"))
                .isNotNull();
        get("/ojs/v1/queues", "Authorization", "Bearer " + scoped.get(Scope.OBSERVE))
                .answers(200);
        get("/ojs/v1/queues").answers(401);
        given.pass(Duration.ofSeconds(6));
        get("/ojs/v1/queues", "Authorization", "Bearer guess").answers(401);
    }

    @Test
    void replaced_by_another_of_its_name_lets_in_until_it_is_taken_away() {
        String next = key(Set.of(Scope.OBSERVE), null, null);
        get("/ojs/v1/queues", "Authorization", "Bearer " + next).answers(200);
        keys.removeLast();
        get("/ojs/v1/queues", "Authorization", "Bearer " + next).answers(401);
    }
}
