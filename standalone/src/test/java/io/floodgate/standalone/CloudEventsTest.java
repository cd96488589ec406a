package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** CloudEvents that become jobs, from end to end (OJS CloudEvents interop §8). */
@Tag("server")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CloudEventsTest {
    private static final String[] STRUCTURED = {"Content-Type", "application/cloudevents+json"};

    private Running running;
    private HttpApi http;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        running = new Running();
        http = new HttpApi(Standalone.start(StandaloneConfig.in(data), running).port());
    }

    @AfterAll
    void stop() {
        running.close();
    }

    private static String event(String id) {
        return "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"/shop\",\"type\":\"order.placed\",\"data\":{\"n\":1}}"
                .formatted(id);
    }

    private static String jobs(String queue) {
        return "/ojs/v1/jobs?queue=" + queue;
    }

    @Test
    void an_event_is_one_job_however_often_and_in_whichever_mode_it_comes() throws Exception {
        String id = http.post(jobs("orders"), event("a"), STRUCTURED).text("/job/id");

        var again = http.post(
                jobs("orders"),
                "{\"n\":1}",
                "ce-specversion",
                "1.0",
                "ce-id",
                "a",
                "ce-source",
                "/shop",
                "ce-type",
                "order.placed");
        assertThat(again.text("/job/id")).isEqualTo(id);
        assertThat(again.body().at("/deduplicated").asBoolean()).isTrue();

        var fetched = http.post("/ojs/v1/workers/fetch", "{\"queues\":[\"orders\"],\"count\":10,\"wait_ms\":0}")
                .body()
                .at("/jobs");
        assertThat(fetched).hasSize(1);
        assertThat(fetched.at("/0/args").toString()).isEqualTo("[{\"n\":1}]");
        assertThat(fetched.at("/0/meta/trigger_event_id").asString()).isEqualTo("a");
        assertThat(fetched.at("/0/meta/trigger_source").asString()).isEqualTo("/shop");
        http.post("/ojs/v1/workers/ack", "{\"job_id\":\"%s\"}".formatted(id));

        assertThat(http.post(jobs("orders"), event("a"), STRUCTURED).text("/job/state"))
                .isEqualTo("completed");
    }

    @Test
    void a_batch_stores_what_is_new_and_says_what_is_wrong() throws Exception {
        http.post(jobs("batched"), event("a"), STRUCTURED);

        var answer = http.post(
                jobs("batched"),
                "[%s,%s,%s,{\"id\":\"c\"}]".formatted(event("a"), event("b"), event("b")),
                "Content-Type",
                "application/cloudevents-batch+json");

        assertThat(answer.body().at("/enqueued").asInt()).isEqualTo(1);
        assertThat(answer.body().at("/failed").asInt()).isEqualTo(1);
        assertThat(answer.text("/events/3/error/details/field")).isEqualTo("specversion");
        assertThat(http.get("/ojs/v1/jobs?queue=batched").body().at("/jobs")).hasSize(2);
    }

    @Test
    void an_event_that_is_known_needs_no_room_in_a_full_queue() throws Exception {
        http.put("/ojs/v1/queues/narrow/config", "{\"max_size\":1}");
        http.post(jobs("narrow"), event("a"), STRUCTURED);

        assertThat(http.statusOfPost(jobs("narrow"), event("a"), STRUCTURED)).isEqualTo(200);
        assertThat(http.statusOfPost(jobs("narrow"), event("b"), STRUCTURED)).isEqualTo(429);
    }
}
