package io.floodgate.gateway.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueTest extends GatewayFixture {
    static String status(String name, boolean paused, long version) {
        return "{\"name\":\"" + name + "\",\"state\":\"" + (paused ? "paused" : "active") + "\",\"paused\":" + paused
                + (paused ? ",\"paused_at\":\"2026-02-12T10:00:00.000Z\"" : "")
                + ",\"created_at\":\"2026-02-12T09:00:00.000Z\",\"updated_at\":\"2026-02-12T10:00:00.000Z\",\"depth\":3,\"available\":2,\"active\":1,"
                + "\"scheduled\":0,\"retryable\":0,\"pending\":0,\"completed\":7,\"discarded\":4,\"dead\":3,\"cancelled\":0,\"size_bytes\":512,\"version\":"
                + version + "}";
    }

    private void published(String name) {
        given.table.published(PublishedStatus.read(status(name, false, 1).getBytes(UTF_8)));
    }

    @Test
    void list_comes_from_the_table_in_pages() {
        for (String name : new String[] {"c", "a", "b"}) published(name);

        Got got = get("/ojs/v1/queues?limit=2");

        got.answers(200, "{'queues':[{'name':'a'},{'name':'b'}]}");
        assertThat(got.at("/queues").size()).isEqualTo(2);
        assertThat(got.at("/queues/0/status").stringValue()).isEqualTo("active");
        assertThat(got.at("/queues/0/config").isObject()).isTrue();
        got.answers("{'pagination':{'total':3,'has_more':true}}");
        get("/ojs/v1/queues?per_page=2&page=2").answers("{'queues':[{'name':'c'}]}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void list_rejects_a_limit_that_is_no_number() {
        get("/ojs/v1/queues?limit=many").answers(400);
    }

    @Test
    void stats_are_asked_of_the_log_and_answer_all_readers() {
        logs.answer(status("q", false, 1));

        get("/ojs/v1/queues/q/stats").answers("""
            {"queue":{"available":2,"name":"q"},"stats":{"depth":3,"queue":"q","dead":3},"available":2,
            "status":"active","computed_at":"2026-02-12T10:30:00.000Z"}""");
        assertThat(logs.theCommand(GetQueue.class).queue()).isEqualTo("q");
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("q"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.0.0-rc.1"})
    void stats_name_the_queue_in_plain_text_to_the_sdks(String version) {
        logs.answer(status("q", false, 1));

        get("/ojs/v1/queues/q/stats", "OJS-Version", version).answers("{'queue':'q'}");
    }

    @Test
    void one_is_shown_with_its_stats() {
        logs.answer(status("q", true, 1));

        Got got = get("/ojs/v1/queues/q");

        got.answers("{'name':'q','queue':{'name':'q'},'stats':{'available':2},'paused':true,'state':'paused'}");
    }

    @Test
    void one_that_no_client_has_used_is_not_found_but_has_stats() {
        String unused =
                "{\"name\":\"q\",\"state\":\"active\",\"paused\":false,\"depth\":0,\"available\":0,\"version\":0}";
        logs.answer(unused);

        get("/ojs/v1/queues/q").answers(404);
        assertThat(get("/ojs/v1/queues/q/stats").at("/stats/depth").intValue()).isZero();
        assertThat(given.table.size()).isZero();
    }

    @Test
    void pause_and_resume_say_how_the_queue_is_now_under_both_paths() {
        for (String prefix : new String[] {"/ojs/v1/queues", "/ojs/v1/admin/queues"}) {
            logs.reset().answer(status("q", true, 2));
            Got paused = post(prefix + "/q/pause", "");
            paused.answers("{'queue':{'paused':true,'name':'q'},'paused':true,'status':'paused'}");
            assertThat(paused.at("/paused_at").isString()).isTrue();
            logs.theCommand(Pause.class);

            logs.reset().answer(status("q", false, 3));
            Got resumed = post(prefix + "/q/resume", "{}");
            assertThat(resumed.at("/paused").booleanValue()).isFalse();
            assertThat(resumed.at("/resumed_at").isString()).isTrue();
            logs.theCommand(Resume.class);
        }
    }

    @Test
    void a_reply_is_fresher_than_what_was_published() {
        published("q");
        logs.answer(status("q", true, 5));

        post("/ojs/v1/queues/q/pause", "");

        assertThat(get("/ojs/v1/queues").at("/queues/0/paused").booleanValue()).isTrue();
    }

    @Test
    void must_have_a_proper_name() {
        post("/ojs/v1/queues/_default/pause", "").answers(400);
        get("/ojs/v1/queues/A%20B/stats").answers(400);
        assertThat(logs.sent()).isEmpty();
    }
}
