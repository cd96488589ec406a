package io.floodgate.gateway.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.event.EventFeed;
import io.floodgate.gateway.http.Extension;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.JsonOut;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class SystemTest extends GatewayFixture {
    @Test
    void manifest_says_what_there_is() {
        Got got = get("/ojs/manifest");

        got.answers(200, "{'specversion':'1.0','ojs_version':'1.0'}");
        assertThat(got.at("/implementation/name").isString()).isTrue();
        assertThat(got.at("/capabilities/progress").booleanValue()).isTrue();
        assertThat(got.at("/extensions").valueStream().map(JsonNode::stringValue))
                .contains("urn:ojs:ext:queue-config");
        get("/ojs/v1/queues", "OJS-Requires-Extension", "urn:ojs:ext:queue-config")
                .answers(200);
        assertThat(got.at("/implementation/version").isString()).isTrue();
        got.answers("""
            {"conformance_level":4,"conformance_tier":"runtime","unique_job_strength":"strong","protocols":["http"]}""");
        assertThat(got.at("/capabilities").valueStream()).allMatch(c -> c.isBoolean());
        assertThat(got.at("/endpoints").valueStream()).allMatch(e -> e.isString());
        assertThat(got.at("/extensions").valueStream()).allMatch(e -> e.isString());
        assertThat(got.at("/extensions").valueStream().map(e -> e.stringValue()))
                .contains("urn:ojs:ext:backpressure", "backpressure");
        assertThat(got.at("/extensions_detail").valueStream().flatMap(JsonNode::valueStream))
                .hasSameSizeAs(Extension.ALL)
                .allMatch(e -> e.at("/name").isString()
                        && e.at("/uri").isString()
                        && e.at("/version").isString());
        assertThat(got.at("/extensions_detail/partial")
                        .valueStream()
                        .map(e -> e.at("/uri").stringValue()))
                .contains("urn:ojs:ext:timeouts");
        get("/ojs/v1/queues", "OJS-Requires-Extension", "urn:ojs:ext:timeouts").answers(422);
        assertThat(get(got.at("/endpoints/documentation").stringValue()).body()).startsWith("<!doctype html>");
        assertThat(got.at("/limits/max_job_type_bytes").intValue()).isEqualTo(255);
        assertThat(got.at("/capabilities/backpressure").booleanValue()).isTrue();
    }

    @Test
    void health_and_readiness_follow_the_logs() {
        // The finding is kept for a second, hence one test for the whole story.
        logs.answerByLog(sent -> sent.log().partition() == 2
                ? new io.floodgate.topics.command.Reply.Rejected(io.floodgate.topics.command.Rejection.of(
                        io.floodgate.topics.command.ErrorCode.INTERNAL_ERROR, "no"))
                : FakePartitions.done("{}"));
        await(() -> get("/health").at("/status").stringValue().equals("degraded"));
        Got ready = get("/ready");
        ready.answers(200, "{'degraded':true,'silent':['ojs.commands/2']}");
        get("/ojs/v1/health").answers(200);

        logs.answer("{}");
        await(() -> get("/ready").status() == 200);
        await(() -> get("/health").at("/status").stringValue().equals("ok"));
        Got health = get("/ojs/v1/health");
        health.answers("{'status':'ok','backend':{'status':'ok'}}");
        assertThat(health.at("/backend/latency_ms").isIntegralNumber()).isTrue();
        assertThat(health.at("/uptime_seconds").isIntegralNumber()).isTrue();
        assertThat(health.at("/checks").isObject()).isTrue();

        logs.reset();
        await(() -> get("/health").status() == 503);
        assertThat(get("/health").at("/status").stringValue()).isEqualTo("unhealthy");
        assertThat(get("/health").header("Retry-After")).isNotNull();
        get("/ready").answers(503);
    }

    @Test
    void readiness_ends_before_the_gateway_does() {
        logs.answer("{}");
        await(() -> get("/ready").status() == 200);

        given.closing.set(true);

        get("/ready").answers(503, "{'closing':true}");
        get("/health").answers(200);
    }

    @Test
    void readiness_waits_for_what_is_read_from_topics() {
        logs.answer("{}");
        await(() -> get("/ready").status() == 200);

        given.loaded.set(false);

        get("/ready").answers(503);
        assertThat(get("/ready").at("/loading").booleanValue()).isTrue();
    }

    @Test
    void alarms_are_reported_wherever_operators_look() {
        logs.answerByLog(sent -> sent.log().partition() == 1
                ? FakePartitions.done("{\"alarms\":[{\"code\":\"commands_lost\",\"since\":\"2026-02-12T10:30:00.000Z\","
                        + "\"message\":\"m\"}],\"set_aside\":2}")
                : FakePartitions.done("{\"alarms\":[],\"set_aside\":0}"));
        await(() -> get("/ready").json().has("alarms"));

        get("/ready").answers(200, "{'alarms':[{'log':'ojs.commands/1','code':'commands_lost'}],'set_aside':2}");
        assertThat(get("/health").at("/status").stringValue()).isEqualTo("degraded");
        assertThat(get("/metrics").body())
                .contains("ojs_partition_alarm{code=\"commands_lost\",log=\"ojs.commands/1\"} 1")
                .contains("ojs_partition_quarantined 2");
    }

    @Test
    void metrics_may_be_read_by_many_at_a_time() throws Exception {
        logs.answer("{}");
        for (int i = 0; i < 500; i++)
            given.published(
                    "{\"name\":\"q%d\",\"created_at\":\"t\",\"depth\":1,\"available\":1,\"size_bytes\":1,\"config\":{},\"version\":1}"
                            .formatted(i));
        List<Callable<Integer>> reading =
                Collections.nCopies(64, () -> get("/metrics").status());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> status : threads.invokeAll(reading))
                assertThat(status.get()).isEqualTo(200);
        }
    }

    @Test
    void the_texts_of_alarms_are_for_those_with_a_key() {
        var alarm = new Readiness.Alarm(new PartitionId(1), "commands_lost", "t", "job 7");
        JsonOut out = JsonOut.object();
        SystemOperations.write(List.of(alarm), false, out);
        assertThat(out.endObject().toString()).contains("commands_lost").doesNotContain("job 7");
    }

    @Test
    void probes_are_answered_from_one_round_of_questions() {
        logs.answer("{}");
        await(() -> get("/ready").status() == 200);
        int asked = logs.sent().size();

        for (int i = 0; i < 20; i++) get("/ready");

        assertThat(logs.sent().size())
                .isLessThanOrEqualTo(asked + 2 * logs.routing().partitions());
    }

    @Test
    void metrics_are_plain_text_and_count_what_is_news() {
        logs.answer("{}");
        EventFeed feed = new EventFeed(given.events, given.metrics::count);
        Map<TopicPartition, Long> news = Map.of(new TopicPartition(Topics.EVENTS, 0), 1L);
        byte[] event =
                "{\"id\":\"e\",\"type\":\"job.enqueued\",\"time\":\"t\",\"data\":{\"job_type\":\"a.b\",\"queue\":\"q\"}}"
                        .getBytes(UTF_8);
        feed.read(
                List.of(
                        new ConsumerRecord<>(Topics.EVENTS, 0, 0L, "q", event),
                        new ConsumerRecord<>(Topics.EVENTS, 0, 1L, "q", event),
                        new ConsumerRecord<>(Topics.EVENTS, 0, 2L, "q", "nonsense".getBytes(UTF_8))),
                news);

        Got got = get("/metrics");

        assertThat(got.header("Content-Type")).isEqualTo("text/plain");
        assertThat(got.body()).contains("ojs_job_enqueued_total{queue=\"q\",type=\"a.b\"} 1");
        assertThat(get("/metrics").body()).contains("operation=\"system.metrics\",status=\"2xx\"");
    }

    @Test
    void metrics_count_queues_that_are_made_and_deleted() {
        EventFeed feed = new EventFeed(given.events, given.metrics::count);
        List<ConsumerRecord<String, byte[]>> told = new ArrayList<>();
        for (String type : List.of("queue.created", "queue.created", "queue.deleted")) {
            String event = "{\"id\":\"e%d\",\"type\":\"%s\",\"time\":\"t\",\"data\":{\"queue\":\"q\"}}"
                    .formatted(told.size(), type);
            told.add(new ConsumerRecord<>(Topics.EVENTS, 0, told.size(), "q", event.getBytes(UTF_8)));
        }
        feed.read(told, Map.of(new TopicPartition(Topics.EVENTS, 0), 0L));

        assertThat(get("/metrics").body())
                .contains("ojs_queue_created_count_total 2", "ojs_queue_deleted_count_total 1");
    }

    @Test
    void metrics_say_how_full_bounded_queues_are_and_forget_those_that_are_gone() {
        logs.answer(command -> FakePartitions.done(
                command instanceof GetQueue
                        ? "{\"name\":\"tight\",\"created_at\":\"t\",\"depth\":8,\"available\":8,\"size_bytes\":1,\"config\":{\"max_depth\":10},\"rejected\":3,\"dropped\":2,\"blocked\":4,\"version\":1}"
                        : "{}"));
        get("/ojs/v1/queues/tight/stats");

        assertThat(get("/metrics").body())
                .contains("ojs_queue_depth{queue=\"tight\",state=\"available\"} 8")
                .contains("ojs_backpressure_pressure{queue=\"tight\"} 0.8")
                .contains("ojs_backpressure_max_depth{queue=\"tight\"} 10")
                .contains("ojs_queue_max_size{queue=\"tight\"} 10")
                .contains("ojs_queue_utilization{queue=\"tight\"}")
                .contains("ojs_queue_blocked_producers{queue=\"tight\"} 4")
                .contains("ojs_queue_overflow_count_total{policy=\"drop_oldest\",queue=\"tight\"} 2")
                .contains("ojs_backpressure_rejected_total{queue=\"tight\"} 3")
                .contains("ojs_backpressure_dropped_total{queue=\"tight\"} 2")
                .contains("ojs_queue_pressure{queue=\"tight\"} 0.8")
                .contains("ojs_queue_rejected_total{queue=\"tight\"} 3")
                .contains("ojs_queue_dropped_total{queue=\"tight\"} 2");

        given.table.clear();

        assertThat(get("/metrics").body()).doesNotContain("queue=\"tight\"");
    }

    @Test
    void metrics_tell_of_the_queues_that_matter_when_there_are_more_than_they_tell_apart() {
        StatusTable table = new StatusTable(2_000, given.doors);
        Metrics metrics = metrics(table);
        List<String> statuses = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) statuses.add("{\"name\":\"a%d\",\"depth\":1,\"available\":1}".formatted(i));
        statuses.add("{\"name\":\"y\",\"depth\":10,\"available\":10,\"config\":{\"max_depth\":10},\"rejected\":3}");
        statuses.add("{\"name\":\"z\",\"depth\":5,\"available\":5}");
        statuses.add("{\"name\":\"zz\",\"depth\":0,\"oldest_available_at\":\"2026-02-12T10:00:00.000Z\"}");
        StatusFeed feed = new StatusFeed(table);
        for (String status : statuses) {
            byte[] published = status.replace("{\"name\"", "{\"version\":1,\"created_at\":\"t\",\"name\"")
                    .getBytes(UTF_8);
            feed.read(List.of(new ConsumerRecord<>(Topics.QUEUE_STATUS, 0, 1L, "q", published)), Map.of());
        }

        assertThat(metrics.scrape(new Readiness.Finding(List.of(), 1, List.of(), 0, Duration.ZERO, false, false)))
                .contains("ojs_queue_depth{queue=\"y\",state=\"available\"} 10")
                .contains("ojs_queue_depth{queue=\"z\",state=\"available\"} 5")
                .contains("ojs_backpressure_pressure{queue=\"y\"} 1.0")
                .contains("ojs_backpressure_rejected_total{queue=\"y\"} 3")
                .contains("ojs_queue_oldest_available_age_seconds{queue=\"zz\"} 1800.0")
                .doesNotContain("ojs_queue_depth{queue=\"zz\"");
    }

    @Test
    void metrics_say_how_long_the_oldest_job_of_a_queue_has_waited() {
        given.published("{\"name\":\"slow\",\"version\":1,\"created_at\":\"t\",\"available\":1,"
                + "\"oldest_available_at\":\"2026-02-12T10:28:30.000Z\"}");
        given.published("{\"name\":\"empty\",\"version\":1,\"created_at\":\"t\"}");

        assertThat(get("/metrics").body())
                .contains("ojs_queue_oldest_available_age_seconds{queue=\"slow\"} 90.0")
                .contains("ojs_queue_oldest_available_age_seconds{queue=\"empty\"} 0.0");
    }

    @Test
    void metrics_say_how_many_jobs_wait_for_order_keys_and_how_long() {
        given.published("{\"name\":\"ordered\",\"version\":1,\"created_at\":\"t\",\"available\":7,\"behind_key\":5,"
                + "\"longest_key\":3,\"behind_key_since\":\"2026-02-12T10:28:30.000Z\"}");
        given.published("{\"name\":\"free\",\"version\":1,\"created_at\":\"t\",\"available\":7}");

        assertThat(get("/metrics").body())
                .contains("floodgate_queue_jobs_behind_key{queue=\"ordered\"} 5")
                .contains("floodgate_queue_longest_key_jobs{queue=\"ordered\"} 3")
                .contains("floodgate_queue_oldest_behind_key_age_seconds{queue=\"ordered\"} 90.0")
                .doesNotContain("key_jobs{queue=\"free\"}")
                .doesNotContain("behind_key{queue=\"free\"}");
    }

    private void rejected(String queue, String createdAt, String strategy, int version, int rejected) {
        given.published(("{\"name\":\"%s\",\"version\":%d,\"created_at\":\"%s\",\"depth\":1,"
                        + "\"config\":{\"max_depth\":1,\"strategy\":\"%s\"},\"rejected\":%d}")
                .formatted(queue, version, createdAt, strategy, rejected));
    }

    @Test
    void metrics_count_rejections_under_the_strategy_of_their_queue() {
        rejected("blocks", "t", "block", 1, 3);
        assertThat(get("/metrics").body())
                .contains("ojs_queue_overflow_count_total{policy=\"block\",queue=\"blocks\"} 3")
                .contains("ojs_queue_overflow_count_total{policy=\"reject\",queue=\"blocks\"} 0");

        rejected("blocks", "t", "reject", 2, 5);
        assertThat(get("/metrics").body())
                .contains("ojs_queue_overflow_count_total{policy=\"block\",queue=\"blocks\"} 3")
                .contains("ojs_queue_overflow_count_total{policy=\"reject\",queue=\"blocks\"} 2");
    }

    @Test
    void metrics_count_a_queue_that_was_made_again_from_the_beginning() {
        rejected("again", "t1", "reject", 1, 30);
        assertThat(get("/metrics").body()).contains("ojs_backpressure_rejected_total{queue=\"again\"} 30");

        given.table.clear();
        rejected("again", "t2", "reject", 1, 2);

        assertThat(get("/metrics").body()).contains("ojs_backpressure_rejected_total{queue=\"again\"} 2");
    }

    @Test
    void metrics_follow_ojs_observability() {
        happened("job.started", "\"attempt\":1,\"queue_time_ms\":700");
        happened("job.started", "\"attempt\":2");
        happened("job.failed", "\"attempt\":1");
        happened("job.failed", "\"attempt\":2");
        happened("job.discarded", "\"duration_ms\":40");

        assertThat(get("/metrics").body())
                .contains("ojs_run_failed_total{queue=\"seen\",type=\"a.b\"} 2")
                .contains("ojs_job_failed_total{queue=\"seen\",type=\"a.b\"} 1")
                .contains("ojs_job_discarded_total{queue=\"seen\",type=\"a.b\"} 1")
                .contains("ojs_job_queue_time_seconds_bucket{queue=\"seen\",type=\"a.b\",le=\"0.5\"} 0")
                .contains("ojs_job_queue_time_seconds_bucket{queue=\"seen\",type=\"a.b\",le=\"1.0\"} 1")
                .contains(
                        "ojs_job_duration_seconds_bucket{queue=\"seen\",state=\"discarded\",type=\"a.b\",le=\"0.05\"} 1")
                .contains("ojs_job_duration_seconds_count{queue=\"seen\",state=\"discarded\",type=\"a.b\"} 1");
    }

    private void happened(String type, String data) {
        given.happened(
                "{\"id\":\"e\",\"type\":\"%s\",\"time\":\"t\",\"data\":{\"job_type\":\"a.b\",\"queue\":\"seen\",%s}}"
                        .formatted(type, data));
    }

    @Test
    void how_full_everything_is_can_be_read_as_json() {
        Got got = get("/ojs/v1/admin/system/overload");

        got.answers(200, "{'circuits':{'kafka':'closed'}}");
        assertThat(got.at("/saturation/memory").isNumber()).isTrue();
        assertThat(got.at("/buffers/event_streams").isNumber()).isTrue();
        assertThat(got.at("/logs").isArray()).isTrue();
        assertThat(got.at("/levels").isObject()).isTrue();
    }

    @Test
    void a_list_of_queues_may_leave_their_configuration_out() {
        given.published("{\"name\":\"plain\",\"version\":1,\"created_at\":\"t\"}");

        assertThat(get("/ojs/v1/queues?config=false").at("/queues/0/config").isMissingNode())
                .isTrue();
        assertThat(get("/ojs/v1/queues").at("/queues/0/config").isObject()).isTrue();
    }

    @Test
    void no_client_may_reset_in_earnest() {
        post("/ojs/v1/admin/reset", "").answers(404);
    }

    @Test
    void metrics_tell_so_many_combinations_of_labels_apart() {
        Metrics metrics = metrics(given.table);
        for (int type = 0; type < 40; type++)
            for (int queue = 0; queue < 40; queue++)
                metrics.count(
                        new OjsEvent(0, 0, "e", "job.enqueued", "t", null, "q" + queue, "t" + type, null, new byte[0]));

        assertThat(metrics.registry().getMeters().stream()
                        .filter(meter -> meter.getId().getName().equals("ojs.job.enqueued")))
                .hasSizeLessThanOrEqualTo(2_001);
    }

    private Metrics metrics(StatusTable table) {
        return new Metrics(
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                table,
                given.doors,
                given.events,
                given.streams,
                given.memory,
                given.overload,
                given.clock);
    }
}
