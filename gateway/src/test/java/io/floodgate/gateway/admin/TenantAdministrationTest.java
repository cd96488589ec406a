package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class TenantAdministrationTest extends GatewayFixture {
    private static final String TENANTS = "/ojs/v1/admin/tenants";

    /** What each partition knows of tenants, by name. */
    private final Map<PartitionId, TreeMap<String, String>> known = new TreeMap<>();

    private final List<String> jobs = new ArrayList<>();

    /** Queues that reject to be configured, and with what. */
    private final Map<String, ErrorCode> gone = new TreeMap<>();

    @BeforeEach
    void none() {
        known.clear();
        jobs.clear();
        gone.clear();
        logs.answerByLog(this::answer);
    }

    private void has(int partition, String tenant, String queue, long depth, long bound, boolean own) {
        known.computeIfAbsent(logs.routing().logs().get(partition), log -> new TreeMap<>())
                .put(
                        tenant,
                        "{\"tenant_id\":\"%s\",\"queues\":[{\"queue\":\"%s\",\"depth\":%d,\"available\":1,\"max_depth\":%d,\"own\":%s}]}"
                                .formatted(tenant, queue, depth, bound, own));
    }

    private void hasJob(String queue, String state) {
        jobs.add("{\"id\":\"%s\",\"queue\":\"%s\",\"state\":\"%s\"}"
                .formatted(JobId.make(new Slot(0, 0), 1_000 + jobs.size(), 0), queue, state));
    }

    /** Two names at a time, so that pages must be put together. */
    private Reply answer(FakePartitions.Sent sent) {
        TreeMap<String, String> own = known.getOrDefault(sent.log(), new TreeMap<>());
        return switch (sent.command()) {
            case ListTenants c -> {
                List<Map.Entry<String, String>> rest =
                        List.copyOf((c.after() == null ? own : own.tailMap(c.after(), false)).entrySet());
                List<String> lines = new ArrayList<>();
                lines.add(rest.size() > 2 ? "{\"next\":\"" + rest.get(1).getKey() + "\"}" : "{}");
                rest.stream().limit(2).map(Map.Entry::getValue).forEach(lines::add);
                yield FakePartitions.done(lines.toArray(String[]::new));
            }
            case GetTenant c ->
                own.containsKey(c.tenant())
                        ? FakePartitions.done("{}", own.get(c.tenant()))
                        : FakePartitions.done("{}");
            case ListJobs c -> {
                List<String> lines = new ArrayList<>(List.of("{}"));
                if (sent.log().equals(logs.routing().logs().getFirst())
                        && "acme".equals(c.filter().tenant())) lines.addAll(jobs);
                yield FakePartitions.done(lines.toArray(String[]::new));
            }
            case GetQueue c ->
                FakePartitions.done(
                        "{\"name\":\"%s\",\"created_at\":\"t\",\"depth\":0,\"version\":1}".formatted(c.queue()));
            case ConfigureQueue c
            when gone.containsKey(c.queue()) ->
                new Reply.Rejected(
                        Rejection.of(gone.get(c.queue()), "Queue '%s' is on its way out.".formatted(c.queue())));
            case ConfigureQueue c -> {
                if (!c.unset().isEmpty()) own.clear();
                yield FakePartitions.done("{\"name\":\"%s\",\"depth\":0,\"version\":1}".formatted(c.queue()));
            }
            case SetTenantBound c -> FakePartitions.done("{\"tenant_id\":\"%s\"}".formatted(c.tenant()));
            default -> throw new IllegalArgumentException(sent.toString());
        };
    }

    private static List<String> names(Got got) {
        return got.at("/items")
                .valueStream()
                .map(tenant -> tenant.get("tenant_id"))
                .map(JsonNode::stringValue)
                .toList();
    }

    @Test
    void tenants_of_all_logs_are_listed_by_name() {
        for (String name : List.of("b", "d", "f")) has(0, name, "q", 1, 5, false);
        for (String name : List.of("a", "b", "z")) has(2, name, "r", 2, 5, false);

        Got got = get(TENANTS);

        got.answers(200);
        assertThat(names(got)).containsExactly("a", "b", "d", "f", "z");
        got.answers("{'items':[{},{'depth':3,'queues':[{},{'queue':'r'}]}]}");
    }

    private void rejected(String tenant, String queue, int count) {
        given.happened(
                "{\"id\":\"e\",\"type\":\"backpressure.rejected\",\"time\":\"%s\",\"data\":{\"queue\":\"%s\",\"tenant_id\":\"%s\",\"count\":%d}}"
                        .formatted(given.clock.instant(), queue, tenant, count));
    }

    @Test
    void those_of_which_most_was_rejected_come_first_with_their_share_of_the_queue() {
        for (String name : List.of("b", "d", "f")) has(0, name, "q", 4, 5, false);
        given.published(
                "{\"name\":\"q\",\"created_at\":\"t\",\"depth\":16,\"version\":1,\"config\":{\"max_depth\":20}}");
        rejected("d", "q", 2);
        rejected("d", "q", 1);
        rejected("f", "q", 1);
        rejected("b", "other", 9);

        Got got = get(TENANTS + "?sort=rejected");

        assertThat(names(got)).containsExactly("d", "f", "b");
        got.answers("{'items':[{'rejected':3,'queues':[{'share':0.25,'queue_bound':20}]}]}");
        assertThat(names(get(TENANTS + "?sort=depth&per_page=1&page=2"))).containsExactly("d");
        assertThat(get(TENANTS + "?sort=age").at("/error/message").stringValue())
                .contains("name, depth, pressure or rejected, not 'age'");
    }

    @Test
    void it_is_explained() {
        has(0, "acme", "q", 5, 5, true);
        rejected("acme", "q", 3);

        get(TENANTS + "/acme/explain").answers("{'verdict':{'code':'at_bound'}}");
        Got gone = get(TENANTS + "/gone/explain");
        gone.answers(404);
        assertThat(gone.at("/error/details/explanation").toString()).contains("unknown_tenant");
    }

    @Test
    void pages_follow_each_other_by_a_cursor() {
        for (String name : List.of("b", "d", "f")) has(0, name, "q", 1, 5, false);

        Got first = get(TENANTS + "?per_page=2");
        assertThat(names(first)).containsExactly("b", "d");
        assertThat(first.at("/pagination/has_more").booleanValue()).isTrue();

        Got second = get(TENANTS + "?per_page=2&cursor="
                + first.at("/pagination/next_cursor").stringValue());
        assertThat(names(second)).containsExactly("f");
        assertThat(second.at("/pagination/has_more").booleanValue()).isFalse();
        get(TENANTS + "?page=2").answers(400);
    }

    @Test
    void one_is_shown_with_the_bound_that_it_is_nearest_to() {
        has(0, "acme", "q", 3, 5, true);
        has(1, "acme", "r", 1, 100, false);

        get(TENANTS + "/acme").answers("""
            {"depth":4,"limits":{"max_queue_depth":{"limit":5,"current":3,"queue":"q"}},
            "queues":[{"own_limit":true},{"own_limit":false}]}""");
    }

    private void hasOverAll(int partition, int jobs, String queues) {
        known.computeIfAbsent(logs.routing().logs().get(partition), log -> new TreeMap<>())
                .put(
                        "acme",
                        "{\"tenant_id\":\"acme\",\"queues\":[],\"max_jobs\":{\"maximum\":10,\"open\":true,\"used\":%d,\"grants\":%d,\"queues\":%s}}"
                                .formatted(jobs, jobs, queues));
    }

    @Test
    void a_bound_over_all_queues_is_shown_with_what_uses_it_up() {
        hasOverAll(0, 3, "{\"a\":1,\"b\":2}");
        hasOverAll(1, 7, "{\"c\":7}");

        get(TENANTS + "/acme").answers("""
            {"depth":10,"max_jobs":10,"in_force":true,"pressure":1.0,
            "limits":{"max_jobs":{"limit":10,"current":10}},
            "jobs_in":[{"queue":"c","jobs":7},{"queue":"b","jobs":2},{"queue":"a","jobs":1}]}""");
        get(TENANTS + "/acme/explain").answers("{'verdict':{'code':'at_total_bound'}}");
    }

    @Test
    void jobs_that_run_are_shown_beside_their_bound() {
        known.computeIfAbsent(logs.routing().logs().get(0), log -> new TreeMap<>())
                .put(
                        "acme",
                        "{\"tenant_id\":\"acme\",\"queues\":[],\"max_concurrency\":{\"maximum\":2,\"open\":true,\"used\":2,\"queues\":{\"a\":2}}}");

        get(TENANTS + "/acme").answers("""
            {"max_concurrency":2,"running":2,"in_force":true,"limits":{"max_concurrency":{"limit":2,"current":2}},
            "running_in":[{"queue":"a","running":2}]}""");
        get(TENANTS + "/acme/explain").answers("{'verdict':{'code':'at_concurrency'}}");
    }

    @Test
    void a_bound_over_all_queues_is_decided_by_the_home_of_the_tenant() {
        hasOverAll(0, 3, "{}");
        assertThat(send("PUT", TENANTS + "/acme", "{\"limits\":{\"max_jobs\":50,\"max_concurrency\":4}}")
                        .status())
                .isEqualTo(200);
        assertThat(send("PUT", TENANTS + "/acme/limits", "{\"max_jobs\":0}").status())
                .isEqualTo(200);
        delete(TENANTS + "/acme").answers(204);
        List<FakePartitions.Sent> decided = logs.sent().stream()
                .filter(sent -> sent.command() instanceof SetTenantBound)
                .toList();
        assertThat(decided)
                .extracting(FakePartitions.Sent::command)
                .containsExactly(
                        new SetTenantBound("acme", TenantResource.JOBS, 50L),
                        new SetTenantBound("acme", TenantResource.RUNNING, 4L),
                        new SetTenantBound("acme", TenantResource.JOBS, null),
                        new SetTenantBound("acme", TenantResource.JOBS, null));
        assertThat(decided)
                .allSatisfy(
                        sent -> assertThat(sent.log()).isEqualTo(logs.routing().ofTenant("acme")));
        assertThat(configured()).isEmpty();
    }

    @Test
    void stats_count_its_jobs_by_queue_and_state_wherever_they_are() {
        hasJob("q", "available");
        hasJob("q", "completed");
        hasJob("other", "available");

        get(TENANTS + "/acme/stats").answers("""
            {"tenant_id":"acme","total_jobs":3,"complete":true,"jobs":{"available":2},"by_queue":[{},{"queue":"q",
            "jobs":{"completed":1}}]}""");
    }

    @Test
    void its_jobs_are_listed_like_all_others() {
        hasJob("q", "available");

        assertThat(get(TENANTS + "/acme/jobs").at("/items").size()).isEqualTo(1);
        assertThat(get(TENANTS + "/beta/jobs").at("/items").size()).isZero();
    }

    @Test
    void a_client_that_has_neither_jobs_nor_bounds_is_not_there() {
        for (String path : List.of("", "/stats"))
            assertThat(get(TENANTS + "/unknown" + path).status()).as(path).isEqualTo(404);
        delete(TENANTS + "/unknown").answers(404);
        hasJob("q", "completed");
        get(TENANTS + "/acme").answers(200);
    }

    @Test
    void a_bound_is_set_in_the_queues_that_are_named() {
        has(0, "acme", "q", 3, 5, true);

        Got got = send(
                "PUT",
                TENANTS + "/acme",
                "{\"tenant_id\":\"acme\",\"limits\":{\"max_queue_depth\":9},\"queues\":[\"q\",\"r\"]}");

        got.answers(200, "{'tenant_id':'acme'}");
        List<ConfigureQueue> sent = configured();
        assertThat(sent).extracting(ConfigureQueue::queue).containsExactly("q", "r");
        assertThat(sent.getFirst().set().tenants()).isEqualTo(new TenantBounds(Map.of("acme", 9L)));
    }

    private List<ConfigureQueue> configured() {
        return logs.sent().stream()
                .map(FakePartitions.Sent::command)
                .filter(ConfigureQueue.class::isInstance)
                .map(ConfigureQueue.class::cast)
                .toList();
    }

    @Test
    void limits_may_stand_there_bare_and_null_takes_the_bound_back() {
        send("PUT", TENANTS + "/acme/limits", "{\"max_queue_depth\":null,\"reason\":\"over\",\"queues\":[\"q\"]}");

        assertThat(configured().getFirst().unset()).isEqualTo(Set.of("tenants.acme"));
    }

    @Test
    void a_bound_that_names_no_queues_needs_some_that_are_there() {
        Got got = send("PUT", TENANTS + "/acme", "{\"limits\":{\"max_queue_depth\":9}}");

        got.answers(400, "{'error':{'details':{'field':'queues'}}}");
    }

    /** One that is being deleted keeps the bound from none of the others, and none that is gone comes into being again. */
    @Test
    void a_bound_that_names_no_queues_passes_over_those_that_are_on_their_way_out() {
        for (String queue : List.of("a", "m", "n", "z")) get("/ojs/v1/queues/" + queue + "/stats");
        gone.put("m", ErrorCode.CONFLICT);
        gone.put("n", ErrorCode.NOT_FOUND);

        send("PUT", TENANTS + "/acme", "{\"limits\":{\"max_queue_depth\":9}}").answers(200);
        assertThat(configured()).extracting(ConfigureQueue::queue).containsExactly("a", "m", "n", "z");
        assertThat(configured()).allMatch(ConfigureQueue::mustExist);
    }

    @Test
    void a_bound_that_names_queues_is_set_in_the_others_though_one_cannot_have_it() {
        gone.put("m", ErrorCode.CONFLICT);

        Got got = send("PUT", TENANTS + "/acme", "{\"limits\":{\"max_queue_depth\":9},\"queues\":[\"a\",\"m\",\"z\"]}");

        got.answers(409);
        assertThat(configured()).extracting(ConfigureQueue::queue).containsExactly("a", "m", "z");
    }

    @Test
    void all_bounds_are_taken_back_though_a_queue_is_on_its_way_out() {
        has(0, "acme", "m", 3, 5, true);
        has(1, "acme", "z", 1, 100, true);
        gone.put("m", ErrorCode.CONFLICT);

        delete(TENANTS + "/acme").answers(204);
        assertThat(configured()).extracting(ConfigureQueue::queue).containsExactly("m", "z");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                            | 400
        {"limits":{}}                               | 400
        {"limits":{"max_queue_depth":-1}}         | 400
        {"limits":{"max_queue_depth":"x"}}      | 400
        {"limits":7}                                | 400
        {"max_jobs":-1}                             | 400
        {"max_jobs":5,"queues":["q"]}             | 400
        {"limits":{"max_bytes":5}}                | 400
        {"tenant_id":"b","max_queue_depth":1}   | 400
        {"max_queue_depth":1,"queues":["a b"]}  | 400
        {"max_queue_depth":1,"queues":7}          | 400
        {"max_queue_dept":1}                        | 400
        {"limits":{"max_scheduled":5}}            | 422
        {"max_scheduled":5}                         | 422
        {"max_queue_depth":1,"fairness_weight":2} | 422
        """)
    void what_cannot_be_decided_is_rejected(String body, int status) {
        assertThat(send("PUT", TENANTS + "/acme/limits", body).status()).isEqualTo(status);
        assertThat(configured()).isEmpty();
    }

    @Test
    void all_bounds_of_its_own_are_taken_back() {
        has(0, "acme", "q", 3, 5, true);
        has(1, "acme", "r", 1, 100, false);

        delete(TENANTS + "/acme").answers(204);
        assertThat(configured()).extracting(ConfigureQueue::queue).containsExactly("q");
    }

    @Test
    void for_a_client_that_names_his_tenant_there_is_no_other() {
        has(0, "acme", "q", 3, 5, true);
        has(0, "beta", "q", 3, 5, true);

        assertThat(names(get(TENANTS, "X-OJS-Tenant", "beta"))).containsExactly("beta");
        for (String path : List.of("/acme", "/acme/stats", "/acme/jobs"))
            assertThat(get(TENANTS + path, "X-OJS-Tenant", "beta").status())
                    .as(path)
                    .isEqualTo(404);
        send("PUT", TENANTS + "/acme", "{\"max_queue_depth\":1,\"queues\":[\"q\"]}", "X-OJS-Tenant", "beta")
                .answers(404);
        get(TENANTS + "/no%20tenant").answers(400);
    }
}
