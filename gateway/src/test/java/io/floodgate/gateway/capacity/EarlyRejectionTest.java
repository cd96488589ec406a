package io.floodgate.gateway.capacity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.queue.StatusFeed;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.CheckIds;
import io.floodgate.topics.command.QueueCommand.CheckRoom;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EarlyRejectionTest extends GatewayFixture {
    private static final String JOB = "{\"type\":\"email.send\",\"args\":[1],\"queue\":\"email\"}";
    private static final String ID = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";
    private static final Duration JUST_BEFORE_A_QUESTION = CachedCapacity.BETWEEN_QUESTIONS.minusMillis(1);

    private final FullQueue queue = new FullQueue(10, 10);

    @BeforeEach
    void a_full_queue() {
        queue.depth = 10;
        queue.bound = 10;
        queue.strategy = "reject";
        queue.allowedTypes = List.of();
        queue.known = 0;
        queue.retryAfter = 7;
        logs.answer(queue::carryOut);
    }

    private Got enqueue() {
        return post("/ojs/v1/jobs", JOB, "X-Request-Id", "r");
    }

    private Got batch(int size) {
        return post("/ojs/v1/jobs/batch", "{\"jobs\":[" + (JOB + ",").repeat(size - 1) + JOB + "]}");
    }

    /** How many enqueues the partition has seen, and questions about such. */
    private long asked() {
        return written() + sent(CheckRoom.class);
    }

    private long written() {
        return sent(Enqueue.class) + sent(EnqueueBatch.class);
    }

    private long sent(Class<? extends Command> kind) {
        return logs.sent().stream()
                .filter(sent -> kind.isInstance(sent.command()))
                .count();
    }

    private void published(String status) {
        feed(status.getBytes(UTF_8));
    }

    private void feed(byte[] status) {
        ConsumerRecord<String, byte[]> record =
                new ConsumerRecord<>(Topics.QUEUE_STATUS, 0, 1L, FullQueue.NAME, status);
        new StatusFeed(given.table).read(List.of(record), Map.of());
    }

    @Test
    void a_flood_sends_a_question_now_and_then() {
        for (int i = 0; i < 50; i++) assertThat(enqueue().status()).isEqualTo(429);
        assertThat(asked()).isEqualTo(1);

        given.pass(JUST_BEFORE_A_QUESTION);
        enqueue().answers(429);
        assertThat(asked()).isEqualTo(1);

        given.pass(Duration.ofMillis(1));
        for (int i = 0; i < 50; i++) assertThat(enqueue().status()).isEqualTo(429);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void the_answer_is_that_of_the_log() {
        Got ofLog = enqueue();
        Got early = enqueue();

        assertThat(asked()).isEqualTo(1);
        assertThat(early.body()).isEqualTo(ofLog.body());
        assertThat(early.header("Retry-After")).isEqualTo("7");
        assertThat(early.header("X-OJS-Queue-Depth")).isEqualTo("10");
        assertThat(early.headers().keySet()).isEqualTo(ofLog.headers().keySet());
    }

    @Test
    void how_long_to_wait_is_said_for_as_many_jobs_as_were_sent() {
        assertThat(enqueue().header("Retry-After")).isEqualTo("7");
        queue.retryAfter = 30;
        assertThat(batch(3).header("Retry-After")).isEqualTo("30");

        assertThat(enqueue().header("Retry-After")).isEqualTo("7");
        assertThat(batch(3).header("Retry-After")).isEqualTo("30");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void the_answer_has_the_newest_figures() {
        batch(3);
        queue.depth = 8;
        queue.version++;
        published(queue.status());

        Got early = batch(3);

        assertThat(asked()).isEqualTo(1);
        early.answers(429);
        assertThat(early.header("X-OJS-Queue-Depth")).isEqualTo("8");
        assertThat(early.header("X-OJS-Queue-Pressure")).isEqualTo("0.8");
        assertThat(early.at("/error/details/version").longValue()).isEqualTo(queue.version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ojs/v1/workers/ack",
                "/ojs/v1/jobs/" + ID + "/ack",
                "/ojs/v1/workers/nack",
                "/ojs/v1/jobs/" + ID + "/cancel"
            })
    void a_client_that_was_informed_of_free_space_can_use_it(String path) {
        for (int i = 0; i < 20; i++) {
            enqueue().answers(429);

            String report = "{\"job_id\":\"%s\",\"error\":{\"code\":\"x\",\"message\":\"m\"}}".formatted(ID);
            post(path, report).answers(200);

            enqueue().answers(201);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET | /ojs/v1/jobs/019539a4-b68c-7def-8000-1a2b3c4d5e6f |
        GET | /ojs/v1/queues/email/stats        |
        PUT | /ojs/v1/admin/queues/email/config | {"backpressure":{"max_depth":11}}
        """)
    void so_can_one_whose_answer_has_shown_it(String method, String path, String body) {
        enqueue();
        queue.bound = 11;
        queue.version++;

        send(method, path, body).answers(200);

        enqueue().answers(201);
    }

    @Test
    void what_was_published_is_heard_too() {
        enqueue();
        queue.depth--;
        queue.version++;
        published(queue.status());

        enqueue().answers(201);
    }

    @Test
    void an_older_status_does_not_overrule_a_newer_reply() {
        enqueue();
        String full = queue.status();
        post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\"}");
        published(full);

        enqueue().answers(201);
    }

    @Test
    void neither_does_an_older_rejection() throws Exception {
        enqueue();
        given.pass(CachedCapacity.BETWEEN_QUESTIONS);
        CompletableFuture<Reply> late = new CompletableFuture<>();
        CompletableFuture<Command> sent = new CompletableFuture<>();
        logs.answerLater(one -> {
            sent.complete(one.command());
            return late;
        });
        CompletableFuture<Got> question = CompletableFuture.supplyAsync(this::enqueue);
        sent.join();
        Reply rejected = queue.carryOut(sent.join());
        logs.answer(queue::carryOut);
        post("/ojs/v1/workers/ack", "{\"job_id\":\"" + ID + "\"}");

        late.complete(rejected);

        assertThat(question.join().status()).isEqualTo(429);
        enqueue().answers(201);
    }

    @Test
    void a_rejection_does_not_stand_for_long() {
        enqueue();
        given.pass(CachedCapacity.STANDS.plusMillis(1));

        for (int i = 1; i <= 3; i++) {
            logs.fail(new io.floodgate.topics.client.NoReply("the log is silent"));
            enqueue().answers(503);
        }
        assertThat(asked()).isEqualTo(4);
    }

    @Test
    void as_many_go_through_as_there_is_room_for() {
        enqueue();
        queue.depth = 8;
        queue.version++;
        published(queue.status());
        logs.fail(new io.floodgate.topics.client.NoReply("the log is slow"));

        enqueue().answers(503);
        enqueue().answers(503);
        enqueue().answers(429);
    }

    @Test
    void a_queue_that_is_gone_rejects_no_client() {
        enqueue();
        feed(null);
        queue.depth = 0;

        enqueue().answers(201);
    }

    @Test
    void a_rejection_that_comes_after_the_end_of_its_queue_is_not_believed() {
        long asked = given.doors.now();
        feed(null);
        given.doors.rejected(queue.rejection(), asked, null);
        queue.depth = 0;

        enqueue().answers(201);
    }

    @Test
    void a_batch_is_judged_as_a_whole() {
        batch(3);
        batch(2).answers(429);
        assertThat(asked()).isEqualTo(1);

        queue.depth = 8;
        queue.version++;
        published(queue.status());
        batch(3).answers(429);
        assertThat(asked()).isEqualTo(1);
        batch(2).answers(201);
    }

    @Test
    void what_can_never_fit_is_rejected_as_such_by_the_partition() {
        enqueue();
        batch(11);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void a_batch_for_several_queues_is_for_the_logs_to_decide() {
        enqueue();
        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "," + JOB.replace("email\"}", "other\"}") + "]}");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void whether_an_id_is_taken_only_the_log_knows() {
        enqueue();
        String withId = JOB.replace("{\"type\"", "{\"id\":\"" + ID + "\",\"type\"");
        post("/ojs/v1/jobs", withId);
        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + withId + "]}");
        assertThat(asked()).isEqualTo(3);
    }

    @Test
    void a_job_that_seems_to_have_no_room_is_not_written_before_the_log_was_asked() {
        published(queue.status());

        Got rejected = enqueue();
        Got batch = batch(3);
        queue.depth = 5;
        Got taken = batch(3);

        rejected.answers(429);
        assertThat(rejected.header("X-OJS-Queue-Depth")).isEqualTo("10");
        batch.answers(429);
        taken.answers(429);
        assertThat(written()).isZero();
        given.pass(CachedCapacity.BETWEEN_QUESTIONS);
        batch(3).answers(201);
        assertThat(written()).isEqualTo(1);
    }

    @Test
    void a_job_with_an_id_of_its_producers_is_not_either_unless_it_may_be_there_already() {
        published(queue.status());
        String withId = JOB.replace("{\"type\"", "{\"id\":\"" + ID + "\",\"type\"");

        post("/ojs/v1/jobs", withId).answers(429);
        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + withId + "]}").answers(429);
        assertThat(written()).isZero();
        assertThat(sent(CheckIds.class)).isEqualTo(2);

        queue.known = 1;
        post("/ojs/v1/jobs", withId);
        assertThat(written()).isEqualTo(1);
    }

    @Test
    void nor_is_a_batch_for_several_queues_of_which_one_is_full() {
        published(queue.status());

        post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "," + JOB.replace("email\"}", "other\"}") + "]}")
                .answers(429);
        assertThat(written()).isZero();
    }

    @Test
    void a_question_without_an_answer_leaves_nothing_in_doubt() {
        published(queue.status());
        logs.fail(new io.floodgate.topics.client.NoReply("the log is silent"));

        enqueue().answers(503, "{'error':{'details':{'outcome':'not_executed'}}}");
    }

    @Test
    void how_long_a_producer_would_wait_changes_nothing_where_no_client_waits() {
        for (int i = 0; i < 50; i++)
            post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", "0.001").answers(429);
        assertThat(asked()).isEqualTo(1);

        for (int i = 0; i < 50; i++)
            post("/ojs/v1/jobs/batch", "{\"jobs\":[" + JOB + "]}", "OJS-Block-Timeout", "0.001")
                    .answers(429);
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void a_producer_that_can_wait_does_so_in_a_queue_that_has_begun_to_block() {
        enqueue();
        given.pass(CachedCapacity.STANDS.plusMillis(1));
        queue.strategy = "block";
        queue.version++;

        post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", "5");

        assertThat(logs.sent().getLast().command())
                .isInstanceOfSatisfying(
                        Enqueue.class, job -> assertThat(job.maxWait()).isEqualTo(Duration.ofSeconds(5)));
    }

    @Test
    void a_producer_that_can_wait_does_so_although_no_client_knew_that_the_queue_blocks() {
        queue.strategy = "block";

        post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", "5");

        assertThat(logs.sent()).hasSize(2);
        assertThat(((Enqueue) logs.sent().getLast().command()).maxWait()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_job_that_can_never_fit_is_rejected_as_such_though_the_queue_is_full() {
        queue.allowedTypes = List.of("email.send");
        published(queue.status());
        enqueue();
        enqueue();
        assertThat(asked()).isEqualTo(1);

        Got got = post("/ojs/v1/jobs", JOB.replace("email.send", "other"));

        assertThat(got.at("/error/code").stringValue()).isEqualTo("JOB_TYPE_NOT_ALLOWED");
        enqueue().answers(429);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void a_queue_that_is_being_deleted_says_so_itself() {
        enqueue();
        published(queue.status().replace("active", "draining"));

        enqueue();

        assertThat(asked()).isEqualTo(2);
    }

    private void acmeHasAllThatItMayHave() {
        queue.depth = 5;
        logs.answer(command -> (command instanceof Enqueue job && new String(job.job(), UTF_8).contains("acme"))
                        || (command instanceof EnqueueBatch batch
                                && new String(batch.jobs().getFirst(), UTF_8).contains("acme"))
                        || (command instanceof CheckRoom question
                                && question.demand().tenants().containsKey("acme"))
                ? new Reply.Rejected(
                        Rejection.of(ErrorCode.TENANT_LIMIT_EXCEEDED, "Tenant 'acme' has reached its max_queue_depth")
                                .with("retry_after_seconds", queue.retryAfter)
                                .with("tenant_id", "acme")
                                .with("queue", FullQueue.NAME)
                                .with("depth", 5)
                                .with("max_depth", 5)
                                .with("strategy", "reject")
                                .with("version", 100))
                : queue.carryOut(command));
    }

    @Test
    void how_long_a_tenant_waits_is_said_for_as_many_jobs_as_it_sent() {
        acmeHasAllThatItMayHave();
        String three = "{\"jobs\":[" + (JOB + ",").repeat(2) + JOB + "]}";
        for (int i = 0; i < 3; i++) {
            queue.retryAfter = 7;
            assertThat(post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", "acme").header("Retry-After"))
                    .isEqualTo("7");
            queue.retryAfter = 30;
            assertThat(post("/ojs/v1/jobs/batch", three, "X-OJS-Tenant", "acme").header("Retry-After"))
                    .isEqualTo("30");
        }
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void a_tenant_with_all_that_it_may_have_is_rejected_early_and_others_are_not() {
        acmeHasAllThatItMayHave();
        for (int i = 0; i < 20; i++)
            post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", "acme").answers(429);
        assertThat(asked()).isEqualTo(1);

        post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", "beta").answers(201);
        long before = asked();

        // Something has happened in the queue since: it may be that the tenant has room.
        post("/ojs/v1/jobs", JOB, "X-OJS-Tenant", "acme").answers(429);
        assertThat(asked()).isEqualTo(before + 1);
        assertThat(sent(CheckRoom.class)).isEqualTo(1);
    }

    @Test
    void what_is_decided_about_all_queues_is_heard_at_once() {
        enqueue();
        send("PUT", "/ojs/v1/admin/queues/_default/config", "{\"backpressure\":{\"max_depth\":11}}")
                .answers(200);
        queue.bound = 11;

        enqueue().answers(201);
    }

    @Test
    void a_client_that_waits_for_room_waits_in_the_log() {
        queue.strategy = "block";
        enqueue();
        post("/ojs/v1/jobs", JOB, "OJS-Block-Timeout", "5");
        assertThat(asked()).isEqualTo(2);

        enqueue().answers(429);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void a_queue_that_drops_others_rejects_no_client_early() {
        queue.strategy = "drop_oldest";
        enqueue();
        enqueue();
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void rejections_of_a_processor_that_tells_no_versions_are_passed_on_only() {
        logs.reject(new io.floodgate.topics.command.Rejection(
                queue.rejection().code(),
                queue.rejection().message(),
                queue.rejection().details().stream()
                        .filter(detail -> !detail.name().equals("version"))
                        .toList()));
        enqueue();
        enqueue();
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void the_metrics_have_them() {
        published(queue.status());
        for (int i = 0; i < 5; i++) enqueue();

        String metrics = get("/metrics").body();

        assertThat(metrics).contains("ojs_backpressure_rejected_total{queue=\"email\"} 7.0");
        assertThat(metrics).contains("ojs_backpressure_rejected_early_total");
    }
}
