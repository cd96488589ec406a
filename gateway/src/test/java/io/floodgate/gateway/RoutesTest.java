package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.access.Scope;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.memory.MemoryBudget.MemoryClass;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.system.PartitionOwners;
import io.helidon.http.Method;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutesTest extends GatewayFixture {
    private final List<Route> routes = Api.routes(
            TestApi.config(true, Duration.ZERO),
            logs,
            given.parts,
            QueueTopics.none(given.table),
            PartitionOwners.UNKNOWN,
            FakeSourceTopics.NONE);

    @Test
    void are_each_there_once() {
        assertThat(routes.stream().map(route -> route.method().text() + " " + route.path()))
                .doesNotHaveDuplicates();
    }

    @Test
    void only_look_if_that_is_their_scope() {
        assertThat(routes)
                .allSatisfy(route -> assertThat(route.scope() == Scope.OBSERVE || route.scope() == Scope.PUBLIC)
                        .as(route.name())
                        // A question that is too long for a query changes nothing, though it is a POST.
                        .isEqualTo(route.method().equals(Method.GET)
                                || Set.of("job.results", "cron.preview").contains(route.name())));
    }

    @Test
    void have_memory_of_their_own_if_they_report_finished_work_or_keep_it_alive() {
        assertThat(routes.stream()
                        .filter(route -> route.memoryClass() == MemoryClass.COMPLETION)
                        .map(Route::name)
                        .distinct())
                .containsExactlyInAnyOrder(
                        "worker.ack",
                        "worker.nack",
                        "worker.heartbeat",
                        "worker.beat",
                        "worker.progress",
                        "job.report_progress",
                        "job.store_checkpoint");
    }

    @Test
    void all_answer_and_say_which_methods_they_have() {
        for (Route route : routes) {
            String path = route.path().replaceAll("\\{[a-z]+}", "019539a4-b68c-7def-8000-1a2b3c4d5e6f");
            Got wrong = send("PURGE", path, "{}");

            assertThat(wrong.status()).as(route.path()).isEqualTo(path.endsWith("/reset") ? 404 : 405);
            if (wrong.status() == 405)
                assertThat(wrong.header("Allow")).contains(route.method().text(), "OPTIONS");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /ojs/v1/admin/cron, cron jobs under this path",
        "POST, /ojs/v1/admin/crons/nightly/trigger, cron jobs under this path",
        "GET, /ojs/v1/middleware, middleware",
        "POST, /ojs/v1/admin/webhooks, webhooks under this path",
        "GET, /ojs/v1/admin/unique-jobs, unique jobs under this path"
    })
    void of_what_is_not_supported_say_so(String method, String path, String feature) {
        Got got = send(method, path, method.equals("GET") ? null : "{}");

        got.answers(422, "{'error':{'code':'unsupported','canonical_code':'UNSUPPORTED_FEATURE'}}");
        assertThat(got.at("/error/message").stringValue()).isEqualTo("This server does not support " + feature + ".");
        assertThat(got.at("/error/details/feature").stringValue()).isEqualTo(feature);
        get("/ojs/v1/cronjobs").answers(404);
    }

    @Test
    void listen_on_this_machine_only_unless_configured_otherwise() {
        assertThat(GatewayConfig.of(0, null).host()).isEqualTo("127.0.0.1");
    }

    @Test
    void may_be_asked_for_with_a_slash_at_the_end_and_with_escapes() {
        logs.answer("{\"name\":\"a\",\"version\":1,\"created_at\":\"t\"}");

        get("/ojs/v1/queues/").answers(200);
        assertThat(get("/ojs/v1/queues/%61/stats").at("/name").stringValue()).isEqualTo("a");
        get("/ojs/v1/queues/a%2Fstats").answers(400);
    }
}
