package io.floodgate.gateway.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeartbeatTest extends GatewayFixture {
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

    @Test
    void heartbeat_names_what_the_worker_has_lost() {
        logs.answer(command -> command instanceof Extend
                ? FakePartitions.done("{\"extended\":[],\"elsewhere\":[],\"lost\":[\"" + ID + "\"],\"cancelled\":[\""
                        + ID + "\"],\"server_time\":\"2026-02-12T10:30:00.000Z\"}")
                : FakePartitions.done("{\"state\":\"running\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}"));

        Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"active_jobs\":[\"" + ID + "\"]}");

        got.answers("{'lost_jobs':['%s'],'cancelled_jobs':['%s']}", ID, ID);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        'active_jobs':['%s'] | true
        'active_jobs':1,'active_job_ids':['%s'] | true
        'active_jobs':2,'active_job_ids':['%s'] | false
        'job_id':'%s' | false
        'active_job_ids':['%s'] | false
        """)
    void heartbeat_counts_as_complete_only_if_it_names_all_jobs(String jobs, boolean complete) {
        answerHeartbeat("running", null);

        post("/ojs/v1/workers/heartbeat", ("{'worker_id':'w1'," + jobs.formatted(ID) + "}").replace('\'', '"'));

        Extend extend = logs.sent().stream()
                .map(FakePartitions.Sent::command)
                .filter(Extend.class::isInstance)
                .map(Extend.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(extend.complete()).isEqualTo(complete);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {"hostname,{}", "queues,'email'", "queues,[['email']]", "concurrency,'ten'"})
    void heartbeat_says_what_operators_are_shown_in_its_own_type(String field, String value) {
        answerHeartbeat("running", null);

        Got got = post(
                "/ojs/v1/workers/heartbeat",
                "{'worker_id':'w1','%s':%s}".formatted(field, value).replace('\'', '"'));

        got.answers(400, "{'error':{'details':{'field':'%s'}}}", field);
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void heartbeat_need_not_say_anything_of_its_worker() {
        answerHeartbeat("running", null);

        Got got = post(
                "/ojs/v1/workers/heartbeat",
                "{\"worker_id\":\"w1\",\"hostname\":null,\"queues\":null,\"concurrency\":null}");

        got.answers(200);
    }

    @Test
    void heartbeat_prolongs_the_jobs_in_whatever_form_they_are_named() {
        for (String jobs : new String[] {
            "\"active_jobs\":[\"" + ID + "\"]",
            "\"active_jobs\":1,\"active_job_ids\":[\"" + ID + "\"]",
            "\"job_id\":\"" + ID + "\""
        }) {
            logs.reset();
            answerHeartbeat("running", null);

            Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"," + jobs + "}");

            got.answers(200, """
                {"state":"running","directive":"continue","acknowledged":true,"jobs_extended":["%s"]}""", ID);
            assertThat(got.at("/server_time").isString()).isTrue();
        }
    }

    @Test
    void heartbeat_of_an_idle_worker_names_no_jobs() {
        answerHeartbeat("running", null);

        Got got = post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"active_jobs\":0,\"active_job_ids\":null}");

        assertThat(got.at("/jobs_extended").size()).isZero();
        assertThat(logs.theCommand(Beat.class).worker()).isEqualTo("w1");
    }

    @Test
    void heartbeat_obeys_no_test_directive_in_earnest() {
        answerHeartbeat("running", "quiet");

        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\",\"job_id\":\"" + ID + "\"}")
                .answers("""
            {"state":"running"}""");
    }

    @Test
    void heartbeat_says_nothing_but_the_three_words() {
        answerHeartbeat("active", null);
        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"}").answers("{'state':'running'}");
        answerHeartbeat("quiet", null);
        post("/ojs/v1/workers/heartbeat", "{\"worker_id\":\"w1\"}").answers("{'directive':'quiet'}");
    }

    @Test
    void heartbeat_needs_a_worker() {
        post("/ojs/v1/workers/heartbeat", "{}").answers(400);
    }

    @Test
    void register_tells_the_worker_the_rhythm() {
        answerHeartbeat("running", null);

        Got got = post("/ojs/v1/workers/register", "{\"worker_id\":\"w1\",\"hostname\":\"h\",\"concurrency\":4}");

        got.answers("{'ok':true,'heartbeat_interval':5}");
        assertThat(new String(logs.theCommand(Beat.class).about(), StandardCharsets.UTF_8))
                .isEqualTo("{\"hostname\":\"h\",\"concurrency\":4}");
    }

    @Test
    void health_shows_what_the_worker_announced() {
        logs.answer(
                "{\"worker_id\":\"w1\",\"state\":\"running\",\"last_heartbeat_at\":\"2026-02-12T10:30:00.000Z\",\"about\":{\"state\":\"drain\"}}");

        get("/ojs/v1/workers/w1/health").answers(200, "{'state':'drain'}");
    }

    private void answerHeartbeat(String state, String directive) {
        logs.answer(command -> command instanceof Extend
                ? FakePartitions.done("{\"extended\":[\"" + ID + "\"],\"elsewhere\":[]"
                        + (directive == null ? "" : ",\"directive\":\"" + directive + "\"")
                        + ",\"server_time\":\"2026-02-12T10:30:00.000Z\"}")
                : FakePartitions.done("{\"state\":\"" + state + "\",\"server_time\":\"2026-02-12T10:30:00.000Z\"}"));
    }
}
