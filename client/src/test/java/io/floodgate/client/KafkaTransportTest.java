package io.floodgate.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

/** What stands in the partition, and what is made of its replies. */
final class KafkaTransportTest {
    private static final Routing ROUTING = new Routing(8);
    private static final String OURS = "0190b8a0-7c00-7a2b-8c3d-0123456789ab";
    private static final OutgoingJob.Ids IDS = new OutgoingJob.Ids(() -> 1_700_000_000_000L, () -> 1);
    private static final OutgoingJob JOB = OutgoingJob.of(Job.of("a").queue("email"), IDS);

    private final FakeLog log = new FakeLog();
    private final KafkaTransport transport = new KafkaTransport(() -> log, Duration.ZERO);

    private static final class FakeLog implements CommandClient {
        private CompletableFuture<Reply> reply =
                CompletableFuture.completedFuture(new Reply.Done("{}".getBytes(UTF_8)));
        private PartitionId to;
        private Command command;
        private Duration patience;
        private boolean closed;

        @Override
        public Routing routing() {
            return ROUTING;
        }

        @Override
        public CompletableFuture<Reply> send(CommandRequest request) {
            to = request.log();
            command = request.command();
            patience = request.patience();
            return reply;
        }

        @Override
        public void close() {
            closed = true;
        }

        void replies(String... lines) {
            reply = CompletableFuture.completedFuture(
                    new Reply.Done(String.join("\n", lines).getBytes(UTF_8)));
        }

        void rejects(Rejection rejection) {
            reply = CompletableFuture.completedFuture(new Reply.Rejected(rejection));
        }
    }

    @Test
    void without_brokers_it_says_what_is_missing() {
        assertThatThrownBy(() -> Producer.kafka(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bootstrap.servers");
    }

    @Test
    void a_job_goes_to_the_log_of_its_queue_as_one_whose_id_was_made() {
        assertThat(send(JOB)).isEqualTo(new SendResult.Stored(Optional.empty()));

        assertThat(log.to).isEqualTo(ROUTING.ofQueue("email"));
        assertThat(log.command)
                .isInstanceOfSatisfying(
                        Enqueue.class, enqueue -> assertThat(enqueue.madeId()).isTrue());
    }

    @Test
    void a_job_with_an_id_of_ones_own_goes_to_the_log_of_the_id() {
        OutgoingJob own = OutgoingJob.of(Job.of("a").queue("email").id(OURS), IDS);

        send(own);

        assertThat(log.to).isEqualTo(ROUTING.ofJob(own.id()));
        assertThat(log.command)
                .isInstanceOfSatisfying(
                        Enqueue.class, enqueue -> assertThat(enqueue.madeId()).isFalse());
    }

    @Test
    void several_jobs_go_as_a_batch_which_may_wait_for_room() {
        var patient = new KafkaTransport(() -> log, Duration.ofSeconds(7));

        patient.send(new PendingCommand(List.of(JOB, JOB))).join();

        assertThat(log.command).isInstanceOfSatisfying(EnqueueBatch.class, batch -> {
            assertThat(batch.jobs()).hasSize(2);
            assertThat(batch.maxWait()).isEqualTo(Duration.ofSeconds(7));
        });
        assertThat(log.patience).isGreaterThan(Duration.ofSeconds(7));
    }

    @Test
    void a_warning_is_read() {
        log.replies("{}", load(true));

        assertThat(send(JOB)).isEqualTo(new SendResult.Stored(Optional.of(new QueuePressure("email", 9, 10, 0.9))));
    }

    @Test
    void a_queue_with_room_is_nothing_to_tell_of() {
        log.replies("{}", load(false));

        assertThat(send(JOB)).isEqualTo(new SendResult.Stored(Optional.empty()));
    }

    private static String load(boolean warning) {
        return "{\"load\":{\"queue\":\"email\",\"depth\":9,\"max_depth\":10,\"pressure\":0.9,\"warning\":%s}}"
                .formatted(warning);
    }

    @Test
    void a_full_queue_says_how_full_and_until_when() {
        log.rejects(Rejection.of(ErrorCode.QUEUE_FULL, "Full.")
                .with("queue", "email")
                .with("depth", 10)
                .with("retry_after_seconds", 5));

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Rejected(
                        "QUEUE_FULL",
                        "Full.",
                        true,
                        true,
                        Optional.of(Duration.ofSeconds(5)),
                        Map.of("queue", "email", "depth", "10", "retry_after_seconds", "5")));
    }

    @Test
    void rejections_have_the_codes_of_http() {
        log.rejects(Rejection.of(ErrorCode.DUPLICATE, "There.").with("existing_job_id", OURS));

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Rejected(
                        "duplicate", "There.", false, false, Optional.empty(), Map.of("existing_job_id", OURS)));
    }

    @Test
    void a_log_without_memory_is_a_server_that_cannot_serve() {
        log.rejects(Rejection.of(ErrorCode.MEMORY_FULL, "Wait."));

        assertThat(send(JOB))
                .isEqualTo(new SendResult.Unavailable("BACKEND_UNAVAILABLE", "Wait.", false, Optional.empty()));
    }

    @Test
    void without_a_reply_the_outcome_is_open_and_without_a_record_it_is_not() {
        log.reply = CompletableFuture.failedFuture(new NoReply("late"));
        assertThat(send(JOB))
                .isEqualTo(new SendResult.Unavailable("BACKEND_UNAVAILABLE", "late", true, Optional.empty()));

        log.reply = CompletableFuture.failedFuture(new CommandNotSent("no room"));
        assertThat(send(JOB))
                .isEqualTo(new SendResult.Unavailable("BACKEND_UNAVAILABLE", "no room", false, Optional.empty()));
    }

    @Test
    void a_cluster_that_is_not_there_is_tried_again_by_the_next_job() {
        AtomicInteger tries = new AtomicInteger();
        var reconnecting = new KafkaTransport(
                () -> {
                    if (tries.incrementAndGet() == 1) throw new KafkaException("no broker");
                    return log;
                },
                Duration.ZERO);

        assertThat(reconnecting.send(new PendingCommand(List.of(JOB))).join())
                .isInstanceOf(SendResult.Unavailable.class);
        assertThat(reconnecting.send(new PendingCommand(List.of(JOB))).join()).isInstanceOf(SendResult.Stored.class);
    }

    @Test
    void closing_closes_the_connection_and_opens_none() {
        send(JOB);

        transport.close();

        assertThat(log.closed).isTrue();
        assertThat(send(JOB)).isInstanceOf(SendResult.Unavailable.class);
    }

    private SendResult send(OutgoingJob job) {
        return transport
                .send(new PendingCommand(List.of(job)))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }
}
