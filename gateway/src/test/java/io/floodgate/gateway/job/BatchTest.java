package io.floodgate.gateway.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.EnvelopeReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BatchTest extends GatewayFixture {
    private static final String GIVEN = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final String BLOCKS =
            "{\"name\":\"default\",\"created_at\":\"t\",\"version\":1,\"config\":{\"max_depth\":9999,\"strategy\":\"block\"}}";
    private static final String TAIL = "{\"queue\":\"%s\",\"state\":\"available\",\"attempt\":0}";

    @Test
    void is_one_command_to_the_log_of_the_first_queue() throws Exception {
        logs.answer(TAIL.formatted("b"), TAIL.formatted("a"));

        Got got = post(
                "/ojs/v1/jobs/batch",
                "{ \"jobs\" : [ {\"type\":\"x\",\"args\":[1],\"queue\":\"b\"} , {\"type\":\"y\",\"args\":[2],\"queue\":\"a\"} ] }");

        got.answers(201, "{'count':2,'enqueued':2,'failed':0,'jobs':[{'type':'x'},{'type':'y','queue':'a'}]}");
        assertThat(logs.theOnlySent().log()).isEqualTo(logs.routing().ofQueue("b"));
        EnqueueBatch batch = logs.theCommand(EnqueueBatch.class);
        assertThat(batch.madeIds()).isTrue();
        assertThat(EnvelopeReader.read(batch.jobs().get(1)).id())
                .hasToString(got.at("/jobs/1/id").stringValue());
    }

    @Test
    void with_an_id_of_the_clients_does_not_promise_new_ids() throws Exception {
        logs.answer(TAIL.formatted("default"), TAIL.formatted("default"));

        post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[]},{\"id\":\"" + GIVEN + "\",\"type\":\"y\",\"args\":[]}]}");

        EnqueueBatch batch = logs.theCommand(EnqueueBatch.class);
        assertThat(batch.madeIds()).isFalse();
        assertThat(EnvelopeReader.read(batch.jobs().get(0)).id()).isNotNull();
        assertThat(EnvelopeReader.read(batch.jobs().get(1)).id())
                .isEqualTo(JobId.parse(GIVEN).orElseThrow());
    }

    @Test
    void names_the_first_job_that_is_invalid() {
        Got got = post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[]},{\"type\":\"x\"},{\"type\":\"X\",\"args\":[]}]}");

        got.answers(400, "{'error':{'details':{'index':1,'field':'args'}}}");
        assertThat(logs.sent()).isEmpty();
    }

    @Test
    void with_a_bad_retry_policy_is_unprocessable() {
        Got got = post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[],\"retry\":{\"backoff_coefficient\":0.5}}]}");

        got.answers(422, "{'error':{'details':{'index':0}}}");
    }

    @Test
    void needs_jobs() {
        for (String body : new String[] {"{}", "{\"jobs\":[]}", "{\"jobs\":7}", "{\"jobs\":null}", "{\"jobs\":{}}"})
            assertThat(post("/ojs/v1/jobs/batch", body)
                            .at("/error/details/field")
                            .stringValue())
                    .as(body)
                    .isEqualTo("jobs");
        post("/ojs/v1/jobs/batch", "{\"jobs\":[7]}").answers(400);
        post("/ojs/v1/jobs/batch", "").answers(400);
    }

    @Test
    void takes_ten_thousand_jobs_and_not_one_more() {
        String job = "{\"type\":\"x\",\"args\":[]}";
        String most = String.join(",", Collections.nCopies(10_000, job));
        holdWhatIsSent();

        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + most + "]}").answers(201);
        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + most + "," + job + "]}");
        got.answers(413, "{'error':{'code':'BATCH_SIZE_EXCEEDED','max_batch_size':10000}}");
    }

    @Test
    void passes_on_which_job_the_log_rejected() {
        logs.reject(Rejection.of(ErrorCode.DUPLICATE, "taken").with("index", 3));

        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[{\"type\":\"x\",\"args\":[]}]}");

        got.answers(409, "{'error':{'details':{'index':3}}}");
    }

    private static String body(int jobs) {
        return "{\"jobs\":[" + String.join(",", Collections.nCopies(jobs, "{\"type\":\"x\",\"args\":[]}")) + "]}";
    }

    private void holdWhatIsSent() {
        logs.answer(command -> command instanceof HoldBatch part ? held(part) : hasRoom(command));
    }

    /** There is room for all of a batch, by the name 17. */
    private static Reply hasRoom(Command command) {
        return FakePartitions.done(command instanceof HoldRoom ? "{\"part\":17}" : "{}");
    }

    private static Reply held(HoldBatch part) {
        List<String> lines = new ArrayList<>(List.of("{\"part\":%d}".formatted(part.first())));
        for (int i = 0; i < part.jobs().size(); i++) lines.add(TAIL.formatted("default"));
        return FakePartitions.done(lines.toArray(String[]::new));
    }

    @Test
    void that_is_large_is_held_in_parts_and_stored_at_the_end() {
        holdWhatIsSent();

        Got got = post("/ojs/v1/jobs/batch", body(1_200));

        got.answers(201, "{'count':1200}");
        assertThat(got.at("/jobs/1199/state").stringValue()).isEqualTo("available");
        assertThat(logs.sent())
                .extracting(FakePartitions.Sent::log)
                .containsOnly(logs.routing().ofQueue("default"));
        assertThat(logs.sent()).hasSize(5);
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 0L, 500L, 1_000L), true));
    }

    @Test
    void that_is_large_is_answered_when_all_jobs_of_a_part_are_duplicates_to_be_ignored() {
        String ignored = "{\"deduplicated\":true,\"existing_job_id\":\"%s\",\"existing_job_state\":\"active\"}"
                .formatted("019539a4-b68c-7def-8000-1a2b3c4d5e6f");
        // Nothing is held of such a part, so that its answer names none.
        logs.answer(command -> switch (command) {
            case HoldBatch part
            when part.first() == 0 ->
                FakePartitions.done(
                        Collections.nCopies(part.jobs().size(), ignored).toArray(String[]::new));
            case HoldBatch part -> held(part);
            default -> hasRoom(command);
        });

        Got got = post("/ojs/v1/jobs/batch", body(1_200));

        got.answers(201, "{'jobs':[{'deduplicated':true}]}");
        assertThat(got.at("/jobs/499/deduplicated").booleanValue()).isTrue();
        assertThat(got.at("/jobs/500/deduplicated").isMissingNode()).isTrue();
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 500L, 1_000L), true));
    }

    @Test
    void that_is_large_and_may_wait_waits_for_room_for_all_of_it() {
        given.published(BLOCKS);
        logs.answer(command -> switch (command) {
            case HoldBatch part -> held(part);
            default -> hasRoom(command);
        });

        post("/ojs/v1/jobs/batch", body(1_200), "OJS-Block-Timeout", "5").answers(201);
        HoldRoom room = (HoldRoom) logs.sent().getFirst().command();
        assertThat(room.maxWait()).isEqualTo(Duration.ofSeconds(5));
        QueueDemand demand = room.demands().getFirst();
        assertThat(demand.queue()).isEqualTo("default");
        assertThat(demand.jobs()).isEqualTo(1_200);
        assertThat(demand.tenants()).isEqualTo(Map.of("_default", 1_200L));
        HoldBatch part = (HoldBatch) logs.sent().get(1).command();
        assertThat(part.room()).isEqualTo(17);
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 0L, 500L, 1_000L), true));
    }

    @Test
    void that_is_large_has_all_its_time_for_its_parts_however_long_it_has_waited_for_room() {
        given.published(BLOCKS);
        logs.answer(command -> switch (command) {
            case HoldRoom room -> {
                given.pass(Duration.ofSeconds(15));
                yield FakePartitions.done("{\"part\":17}");
            }
            case HoldBatch part -> held(part);
            default -> hasRoom(command);
        });

        post("/ojs/v1/jobs/batch", body(600), "OJS-Block-Timeout", "30").answers(201);
        assertThat(logs.sent().stream()
                        .skip(1)
                        .map(FakePartitions.Sent::patience)
                        .distinct())
                .containsExactly(Duration.ofMillis(500));
    }

    @Test
    void that_is_large_and_has_waited_in_vain_is_rejected_before_any_of_it_is_sent() {
        logs.reject(Rejection.of(ErrorCode.QUEUE_FULL, "full"));

        post("/ojs/v1/jobs/batch", body(1_200), "OJS-Block-Timeout", "5").answers(429);
        assertThat(logs.sent()).hasSize(1);
    }

    @Test
    void that_is_large_is_rejected_as_a_whole_before_any_of_it_is_sent() {
        logs.reject(Rejection.of(ErrorCode.QUEUE_FULL, "full").with("retry_after_seconds", 50));

        Got got = post("/ojs/v1/jobs/batch", body(1_200));

        got.answers(429);
        assertThat(got.header("Retry-After")).isEqualTo("50");
        HoldRoom room = logs.theCommand(HoldRoom.class);
        assertThat(room.maxWait()).isZero();
        assertThat(room.demands().getFirst().jobs()).isEqualTo(1_200);
    }

    @Test
    void that_is_large_and_is_stored_already_is_recognized_by_a_full_queue() {
        logs.answer(command -> switch (command) {
            case HoldRoom room -> new Reply.Rejected(Rejection.of(ErrorCode.QUEUE_FULL, "full"));
            case CheckIds ids -> FakePartitions.done("{\"known\":1}");
            case HoldBatch part -> new Reply.Rejected(Rejection.of(ErrorCode.DUPLICATE, "taken"));
            default -> FakePartitions.done("{}");
        });
        String given = "{\"id\":\"" + GIVEN + "\",\"type\":\"x\",\"args\":[]},";

        post("/ojs/v1/jobs/batch", body(600).replace("{\"jobs\":[", "{\"jobs\":[" + given))
                .answers(409);
    }

    @Test
    void that_is_large_and_hears_nothing_of_room_is_not_stored_for_certain() {
        logs.fail(new NoReply("silence"));

        post("/ojs/v1/jobs/batch", body(600)).answers(503, "{'error':{'details':{'outcome':'not_executed'}}}");
    }

    @Test
    void of_which_a_part_is_rejected_is_dropped() {
        Rejection full = Rejection.of(ErrorCode.MEMORY_FULL, "full");
        logs.answer(command -> switch (command) {
            case HoldBatch part when part.first() < 1_000 -> held(part);
            case HoldBatch part -> new Reply.Rejected(full);
            default -> hasRoom(command);
        });

        post("/ojs/v1/jobs/batch", body(1_200)).answers(503, "{'error':{'details':{'outcome':'not_executed'}}}");
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 0L, 500L), false));
    }

    @Test
    void of_which_a_part_has_no_answer_is_not_stored_for_certain() {
        logs.answerLater(sent -> sent.command() instanceof HoldBatch part && part.first() > 0
                ? CompletableFuture.failedFuture(new NoReply("silence"))
                : CompletableFuture.completedFuture(
                        sent.command() instanceof HoldBatch part ? held(part) : hasRoom(sent.command())));

        post("/ojs/v1/jobs/batch", body(600)).answers(503, "{'error':{'details':{'outcome':'not_executed'}}}");
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 0L), false));
    }

    @Test
    void whose_end_has_no_answer_may_be_stored() {
        logs.answerLater(sent -> switch (sent.command()) {
            case EndHold end -> CompletableFuture.failedFuture(new NoReply("silence"));
            case HoldBatch part -> CompletableFuture.completedFuture(held(part));
            default -> CompletableFuture.completedFuture(hasRoom(sent.command()));
        });

        post("/ojs/v1/jobs/batch", body(600)).answers(503, "{'error':{'details':{'outcome':'unknown'}}}");
    }

    private static String load(String queue, int depth, double pressure, boolean warning) {
        return ("{\"load\":{\"queue\":\"%s\",\"depth\":%d,\"max_depth\":1000,\"size_bytes\":1,\"pressure\":%s,"
                        + "\"warning\":%s}}")
                .formatted(queue, depth, pressure, warning);
    }

    @Test
    void warns_of_the_fullest_queue_concerned() {
        logs.answer(
                TAIL.formatted("a"),
                TAIL.formatted("b"),
                load("a", 850, 0.85, true),
                load("b", 960, 0.96, true),
                load("c", 990, 0.99, false));

        Got got = post(
                "/ojs/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"x\",\"args\":[],\"queue\":\"a\"},{\"type\":\"x\",\"args\":[],\"queue\":\"b\"}]}");

        got.answers(201);
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("960");
        assertThat(got.header("X-OJS-Queue-Bound")).isEqualTo("1000");
        assertThat(got.header("X-OJS-Queue-Max-Depth")).isEqualTo("1000");
        assertThat(got.header("X-OJS-Queue-Pressure")).isEqualTo("0.96");
        assertThat(got.at("/jobs").size()).isEqualTo(2);
        assertThat(got.at("/jobs/1").has("load")).isFalse();
    }

    @Test
    void in_parts_warns_as_the_last_of_them_says() {
        logs.answer(command -> {
            if (!(command instanceof HoldBatch part)) return hasRoom(command);
            boolean last = part.first() == 1_000;
            String load = load("default", last ? 700 : 900, last ? 0.7 : 0.9, true);
            return FakePartitions.done(held(part) + "\n" + load);
        });

        Got got = post("/ojs/v1/jobs/batch", body(1_200));

        got.answers(201);
        assertThat(got.header("X-OJS-Queue-Depth")).isEqualTo("700");
        assertThat(got.at("/jobs").size()).isEqualTo(1_200);
        assertThat(got.at("/jobs/1199/state").stringValue()).isEqualTo("available");
        assertThat(got.at("/jobs/500/state").stringValue()).isEqualTo("available");
    }

    @Test
    void in_parts_that_does_not_fit_stores_nothing() {
        Rejection full = Rejection.of(ErrorCode.QUEUE_FULL, "full").with("queue", "default");
        logs.answer(command -> switch (command) {
            case HoldBatch part when part.first() < 1_000 -> held(part);
            case HoldBatch part -> new Reply.Rejected(full);
            default -> hasRoom(command);
        });

        post("/ojs/v1/jobs/batch", body(1_200)).answers(429, "{'error':{'queue':'default'}}");
        assertThat(logs.sent().getLast().command()).isEqualTo(new EndHold(List.of(17L, 0L, 500L), false));
    }

    @Test
    void in_parts_that_can_never_fit_is_rejected_as_such() {
        Rejection full = Rejection.of(ErrorCode.QUEUE_FULL, "full")
                .with("queue", "default")
                .with("retry_after_seconds", 5)
                .with("max_depth", 1_000);
        logs.answer(command -> command instanceof HoldBatch part && part.first() < 1_000
                ? held(part)
                : command instanceof HoldBatch ? new Reply.Rejected(full) : hasRoom(command));

        Got never = post("/ojs/v1/jobs/batch", body(1_200));

        never.answers(429, "{'error':{'retryable':false,'details':{'reason':'batch_exceeds_bound'}}}");
        assertThat(never.header("Retry-After")).isNull();
        logs.reject(full);

        Got later = post("/ojs/v1/jobs/batch", body(900));

        assertThat(later.at("/error/retryable").booleanValue()).isTrue();
        assertThat(later.header("Retry-After")).isEqualTo("5");
    }

    @Test
    void in_parts_that_can_never_fit_for_its_tenant_is_rejected_as_such() {
        logs.reject(Rejection.of(ErrorCode.TENANT_LIMIT_EXCEEDED, "full")
                .with("tenant_id", "acme")
                .with("queue", "default")
                .with("max_depth", 1_000));

        Got never = post("/ojs/v1/jobs/batch", body(1_200), "X-OJS-Tenant", "acme");
        Got ofOthers = post("/ojs/v1/jobs/batch", body(1_200), "X-OJS-Tenant", "beta");

        never.answers("{'error':{'retryable':false,'details':{'reason':'batch_exceeds_bound'}}}");
        assertThat(ofOthers.at("/error/code").stringValue()).isEqualTo("TENANT_LIMIT_EXCEEDED");
    }

    @Test
    void with_an_id_that_stands_in_it_twice_is_rejected() {
        String job = "{\"id\":\"" + GIVEN + "\",\"type\":\"x\",\"args\":[]}";

        Got got = post("/ojs/v1/jobs/batch", "{\"jobs\":[" + job + "," + job + "]}");

        got.answers(409, "{'error':{'details':{'index':1}}}");
        assertThat(logs.sent()).isEmpty();
    }
}
