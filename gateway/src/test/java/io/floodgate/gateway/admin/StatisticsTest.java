package io.floodgate.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.TestApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatisticsTest extends GatewayFixture {
    private static final String STATS = "/ojs/v1/admin/stats";

    @BeforeEach
    void forgetHistory() {
        given.history.clear();
    }

    private void published(String name, boolean paused) {
        given.published(
                "{\"name\":\"%s\",\"state\":\"%s\",\"paused\":%s,\"version\":1,\"created_at\":\"t\",\"depth\":3,\"available\":2,"
                                .formatted(name, paused ? "paused" : "active", paused)
                        + "\"active\":1,\"completed\":7,\"discarded\":1}");
    }

    private void happened(String type, String queue, long secondsAgo, int millis) {
        given.happened("{\"id\":\"e\",\"type\":\"%s\",\"time\":\"%s\",\"data\":{\"queue\":\"%s\",\"duration_ms\":%d}}"
                .formatted(type, TestApi.NOW.minusSeconds(secondsAgo), queue, millis));
    }

    @Test
    void sum_up_all_queues_and_workers() {
        published("a", false);
        published("b", true);
        logs.answer("{\"present\":3}", "{\"worker_id\":\"w\",\"state\":\"running\",\"about\":{}}");
        for (int i = 0; i < 10; i++) happened("job.completed", "a", 100, 5);
        happened("job.failed", "a", 100, 0);

        Got got = get(STATS);

        assertThat(got.at("/queues").isInt()).isTrue();
        got.answers("""
            {"queues":2,"workers":12,"jobs":{"available":4,"completed":14,"retryable":0},
            "throughput":{"processed_per_minute":2.0,"failed_per_minute":0.2}}""");
        assertThat(got.at("/queue_summary").toString()).isEqualTo("{\"total\":2,\"active\":1,\"paused\":1}");
        assertThat(got.at("/uptime_seconds").isInt()).isTrue();
    }

    @Test
    void have_a_history() {
        happened("job.enqueued", "a", 400, 0);
        happened("job.completed", "a", 400, 100);
        happened("job.completed", "b", 30, 1_000);
        happened("job.failed", "b", 30, 0);

        Got all = get(STATS + "/history?period=1m");
        Got ofQueue = get(STATS + "/history?queue=b&period=5m");

        assertThat(all.at("/data").size()).isEqualTo(60);
        assertThat(all.at("/data/59/timestamp").stringValue()).isEqualTo("2026-02-12T10:29:00.000Z");
        assertThat(all.at("/data/59/processed").intValue()).isEqualTo(1);
        assertThat(all.at("/data/59/failed").intValue()).isEqualTo(1);
        assertThat(all.at("/data/59/latency_p50_ms").doubleValue()).isBetween(900.0, 1_200.0);
        assertThat(all.at("/data/53/enqueued").intValue()).isEqualTo(1);
        assertThat(all.at("/data_points")).isEqualTo(all.at("/data"));
        assertThat(all.at("/complete_since").stringValue()).isEqualTo("2026-02-12T10:30:00.000Z");
        assertThat(ofQueue.at("/data").size()).isEqualTo(12);
        assertThat(ofQueue.at("/data/11/processed").intValue()).isEqualTo(1);
        assertThat(ofQueue.at("/data/10/processed").intValue()).isZero();
    }

    @Test
    void have_a_history_of_the_busiest_queues() {
        for (int i = 0; i < 200; i++) happened("job.enqueued", "first" + i, 300, 0);
        for (int i = 0; i < 5; i++) happened("job.enqueued", "busy", 240, 0);
        happened("job.enqueued", "busy", 120, 0);
        happened("job.enqueued", "busy", 120, 0);

        Got got = get("/ojs/v1/admin/stats/history?period=1m&queue=busy");

        assertThat(got.at("/data")
                        .valueStream()
                        .mapToInt(data -> data.get("enqueued").intValue())
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void have_a_history_by_the_hour() {
        happened("job.completed", "a", 7_000, 10);

        Got got = get(STATS + "/history?period=1h&since=2026-02-12T00:00:00Z&until=2026-02-12T12:00:00Z");

        assertThat(got.at("/data").size()).isEqualTo(12);
        assertThat(got.at("/data/8/processed").intValue()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "period=2m",
                "since=x",
                "queue=Q!",
                "period=1m&since=2020-01-01T00:00:00Z",
                "since=0001-01-01T00:00:00Z"
            })
    void have_no_history_of_what_cannot_be_asked_for(String query) {
        get(STATS + "/history?" + query).answers(400);
    }

    @Test
    void queues_are_listed_with_their_counts() {
        published("a", false);
        published("b", true);

        Got got = get("/ojs/v1/admin/queues");

        got.answers("{'items':[{'name':'a','state':'active','counts':{'available':2,'retryable':0}}]}");
        assertThat(got.at("/items/0/throughput/processed_per_minute").isNumber())
                .isTrue();
        assertThat(got.at("/items/0/latency_ms/p99").isNumber()).isTrue();
        got.answers("{'items':[{},{'paused':true}],'pagination':{'total':2}}");
    }

    @Test
    void a_queue_is_shown_with_its_configuration() {
        logs.answer(
                "{\"name\":\"a\",\"state\":\"active\",\"paused\":false,\"version\":1,\"created_at\":\"t\",\"depth\":9,"
                        + "\"available\":9,\"level\":\"full\",\"config\":{\"max_depth\":9}}");

        get("/ojs/v1/admin/queues/a").answers("""
            {"counts":{"available":9},"configuration":{"backpressure":{"enabled":true,"state":"critical"}},
            "stats":{"depth":9}}""");
        logs.answer("{\"name\":\"a\",\"version\":0}");
        get("/ojs/v1/admin/queues/a").answers(404);
    }

    @Test
    void the_configuration_of_the_server_is_shown_under_both_names() {
        Got got = get("/ojs/v1/admin/system/config");

        got.answers("{'backend':'kafka','partitions':4,'limits':{'max_batch_size':10000}}");
        assertThat(get("/ojs/v1/admin/config").body()).isEqualTo(got.body());
    }
}
