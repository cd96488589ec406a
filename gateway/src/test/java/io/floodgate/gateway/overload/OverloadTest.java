package io.floodgate.gateway.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.QueueTopic;
import io.floodgate.topics.client.TooManyInFlight;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.Reply;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that is too full, as its callers see it. */
class OverloadTest extends GatewayFixture {
    private static final String JOB = "{\"type\":\"a.b\",\"args\":[],\"queue\":\"email\"}";
    private static final String ACK = "{\"job_id\":\"0190d4c5-7a3e-7000-8000-000000000000\"}";

    @AfterEach
    void becomeEmpty() {
        given.table.clear();
        for (int level = 0; level < Level.values().length; level++) {
            given.pass(Duration.ofSeconds(2));
            given.overload.look();
        }
    }

    @Test
    void with_85_percent_of_the_backlog_new_jobs_are_rejected_and_nothing_else() {
        waiting(850);
        logs.answer("{}");

        Got rejected = post("/ojs/v1/jobs", JOB);

        rejected.answers(503);
        // Nothing says yet how soon it becomes less.
        assertThat(rejected.header("Retry-After")).isEqualTo("60");
        rejected.answers("""
            {"error":{"retryable":true,"details":{"outcome":"not_executed","cause":"backlog","level":"critical"}}}""");
        assertThat(logs.sent()).isEmpty();
        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "]}").answers(503);
        assertThat(post("/ojs/v1/jobs/0190d4c5-7a3e-7000-8000-000000000000/cancel", "{}")
                        .status())
                .isNotEqualTo(503);
    }

    @Test
    void with_95_percent_all_writes_are_rejected_but_what_ends_work_takes_it_away_or_makes_room() {
        waiting(1_000);
        logs.answer("{\"id\":\"x\",\"state\":\"completed\"}");

        Got rejected = post("/ojs/v1/jobs/0190d4c5-7a3e-7000-8000-000000000000/cancel", "{}");

        rejected.answers(503);
        assertThat(rejected.header("Retry-After")).isEqualTo("60");
        post("/ojs/v1/workers/ack", ACK).answers(200);
        post("/ojs/v1/workers/nack", ACK.replace("}", ",\"requeue\":true}")).answers(200);
        post("/ojs/v1/workers/fetch", "{\"queues\":[\"email\"]}").answers(200);
        assertThat(post("/ojs/v1/queues/email/pause", "{}").status()).isNotEqualTo(503);
        post("/ojs/v1/dead-letter/0190d4c5-7a3e-7000-8000-000000000000/retry", "{}")
                .answers(503);
    }

    @Test
    void operators_see_it() {
        waiting(1_000);
        logs.answer("{}");

        get("/ready").answers("{'overload':{'backlog':'overflow'},'degraded':true}");
        post("/ojs/v1/jobs", JOB);
        assertThat(get("/metrics").body())
                .contains("ojs_overload_level{of=\"backlog\"} 3")
                .contains("ojs_overload_saturation{of=\"backlog\"} 1.0")
                .containsPattern("ojs_overload_rejected_total\\{cause=\"backlog\"} [1-9]");
    }

    @Test
    void every_request_that_is_rejected_is_counted_by_its_cause_and_no_other() {
        logs.fail(new TooManyInFlight());
        double before = rejected("in_flight");

        Got rejected = post("/ojs/v1/jobs", JOB);

        rejected.answers(503, "{'error':{'details':{'cause':'in_flight'}}}");
        assertThat(rejected("in_flight")).isEqualTo(before + 1);
        logs.fail(new NoReply("no answer"));
        post("/ojs/v1/jobs", JOB).answers(503);
        assertThat(rejected("in_flight")).isEqualTo(before + 1);
        assertThat(get("/metrics").body())
                .contains("# TYPE ojs_overload_rejected_total counter")
                .doesNotContain("ojs_overload_rejected_total{cause=\"other\"}");
    }

    private double rejected(String cause) {
        Matcher found = Pattern.compile("ojs_overload_rejected_total\\{cause=\"" + cause + "\"} (\\S+)")
                .matcher(get("/metrics").body());
        return found.find() ? Double.parseDouble(found.group(1)) : 0;
    }

    @Test
    void an_open_circuit_shows_in_readiness_and_metrics() {
        Circuit circuit = given.traffic.circuits().of(new PartitionId(2));
        for (int i = 0; i < 5; i++) circuit.timedOut();
        logs.answerByLog(sent -> FakePartitions.done("{}"));

        Got ready = get("/ready");

        ready.answers("{'circuits':[{'of':'ojs.commands/2','state':'open'}]}");
        assertThat(ready.at("/circuits/0/retry_after_seconds").intValue()).isBetween(1, 30);
        assertThat(get("/metrics").body()).contains("ojs_circuit_state{circuit=\"ojs.commands/2\"} 2");
        circuit.answered();
        circuit.answered();
        assertThat(get("/ready").json().has("circuits")).isFalse();
    }

    @Test
    void without_kafka_it_is_not_ready() {
        Circuit kafka = given.traffic.circuits().kafka();
        for (int i = 0; i < 5; i++) kafka.timedOut();
        logs.answer("{}");

        get("/ready").answers(503);

        kafka.answered();
        kafka.answered();
    }

    @Test
    void a_log_that_is_too_far_behind_gets_no_writes_but_completions() {
        String job = "0190d4c5-7a3e-7000-8000-000000000000";
        PartitionId log = logs.routing().ofJob(JobId.parse(job).orElseThrow());
        Circuit circuit = given.traffic.circuits().of(log);
        logs.answer("{\"id\":\"x\",\"state\":\"completed\"}");
        circuit.answered();
        circuit.asked();
        given.pass(Duration.ofMillis(4_900));

        Got rejected = post("/ojs/v1/jobs/" + job + "/cancel", "{}");

        rejected.answers(503, "{'error':{'details':{'cause':'log','level':'overflow'}}}");
        assertThat(logs.sent()).isEmpty();
        post("/ojs/v1/dead-letter/" + job + "/retry", "{}").answers(503);
        post("/ojs/v1/workers/ack", ACK).answers(200);
        circuit.answered();
    }

    @Test
    void a_log_that_was_gone_is_not_too_far_behind_when_it_is_back() {
        String job = "0190d4c5-7a3e-7000-8000-000000000000";
        PartitionId log = logs.routing().ofJob(JobId.parse(job).orElseThrow());
        Circuit circuit = given.traffic.circuits().of(log);
        logs.answer("{\"id\":\"x\",\"state\":\"completed\"}");
        for (int i = 0; i < 5; i++) circuit.timedOut();
        circuit.asked();
        given.pass(Duration.ofMillis(4_900));
        assertThat(get("/ready").json().has("overload")).isFalse();

        circuit.answered();
        circuit.answered();

        post("/ojs/v1/jobs/" + job + "/cancel", "{}").answers(200);
    }

    @Test
    void before_the_first_processor_answers_no_partition_is_behind() {
        PartitionId log = new PartitionId(1);
        Circuit circuit = new Circuit(Circuit.Settings.DEFAULT, given.nanos::get, state -> {});
        PartitionAdmission admission = new PartitionAdmission(
                log, OverloadSettings.DEFAULT, given.traffic.latencyTracker(log), circuit, given.nanos::get);
        circuit.asked();
        given.pass(Duration.ofSeconds(6));

        assertThat(admission.level()).isEqualTo(Level.NORMAL);

        circuit.answered();
        circuit.asked();
        given.pass(Duration.ofSeconds(6));
        assertThat(admission.level()).isEqualTo(Level.OVERFLOW);
    }

    @Test
    void a_buffer_is_full_at_four_fifths_and_asks_for_five_to_ten_seconds() {
        assertThat(Channels.seconds(0.8)).isEqualTo(5);
        assertThat(Channels.seconds(0.9)).isBetween(7L, 8L);
        assertThat(Channels.seconds(1)).isEqualTo(10);
        Signal full = Signal.channel("in_flight", "it is", () -> 0.81);
        LevelHysteresis hysteresis = new LevelHysteresis(OverloadSettings.DEFAULT.thresholds(full), System::nanoTime);
        assertThat(hysteresis.look(0.81)).isEqualTo(Level.CRITICAL);
        assertThat(full.seconds().getAsLong()).isEqualTo(5);
    }

    @Test
    void no_way_to_send_a_command_leads_past_the_check_of_its_log() throws Exception {
        PartitionId log = new PartitionId(1);
        Circuit circuit = given.traffic.circuits().of(log);
        circuit.answered();
        circuit.asked();
        given.pass(Duration.ofMillis(4_900));
        CommandClient guarded = given.overload.guard(logs, Importance.NEW_JOBS);
        Map<Class<?>, Object> arguments = Map.of(
                PartitionId.class, log,
                String.class, "email",
                Command.class, new GetQueue("email"),
                Enqueue.class, new Enqueue(new byte[0], true),
                Duration.class, Duration.ofSeconds(1),
                QueueTopic.class, new QueueTopic("email", 0, new byte[0]),
                Cancellation.class, new Cancellation(),
                CommandRequest.class,
                        new CommandRequest(
                                log, "email", new GetQueue("email"), Duration.ofSeconds(1), null, null, null));
        int ways = 0;
        for (CommandClient client : List.of(guarded, guarded.by(null, "a source"))) {
            for (Method method : CommandClient.class.getMethods()) {
                List<Class<?>> types = List.of(method.getParameterTypes());
                boolean sends = types.contains(Command.class)
                        || types.contains(Enqueue.class)
                        || types.contains(CommandRequest.class);
                if (!sends) continue;
                Object reply =
                        method.invoke(client, types.stream().map(arguments::get).toArray());
                if (reply instanceof CompletableFuture<?> future) reply = future.join();
                assertThat(reply).as(method.toString()).isInstanceOf(Reply.Rejected.class);
                ways++;
            }
        }
        assertThat(ways).isEqualTo(14);
        assertThat(logs.sent()).isEmpty();
        circuit.answered();
    }

    private void waiting(int jobs) {
        given.published(
                "{\"name\":\"email\",\"created_at\":\"t\",\"depth\":%1$d,\"available\":%1$d,\"size_bytes\":1,\"config\":{},\"version\":1}"
                        .formatted(jobs));
        given.pass(Duration.ofSeconds(2));
    }
}
