package io.floodgate.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is produced in transactions, whatever the partition and Kafka answer. */
class TransactionProtocolTest extends WorkerFixture {
    private static final String OLD = "of-a-worker-that-has-died";

    private final List<MockProducer<byte[], byte[]>> producers = new CopyOnWriteArrayList<>();
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final Map<String, String> marks = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private @Nullable KafkaException commitFails;
    private @Nullable KafkaException marksFail;
    private int records = 1;

    @BeforeEach
    void handle() {
        builder.transactions(new TransactionSlots(
                        "t-",
                        this::producer,
                        new TransactionSlots.Marks() {
                            @Override
                            public @Nullable String of(String id) {
                                if (marksFail != null) throw marksFail;
                                return marks.get(id);
                            }

                            @Override
                            public void close() {}
                        },
                        new TopicPartition("ojs.replies", 0)))
                .handleTransactionally("pay", (context, transaction) -> {
                    runs.incrementAndGet();
                    for (int i = 0; i < records; i++)
                        transaction.send(new ProducerRecord<>("paid", new byte[] {1}, new byte[] {2}));
                    return "receipt";
                });
    }

    private Producer<byte[], byte[]> producer(String id) {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        producer.commitTransactionException = commitFails;
        producers.add(producer);
        ids.add(id);
        return producer;
    }

    @Test
    void the_job_names_the_producer_and_the_result_before_the_commit_and_is_acknowledged_after_it() throws Exception {
        CompletableFuture<Reply> kept = new CompletableFuture<>();
        log.progressAnswers = kept;
        JobId id = startWith("pay");

        assertThat(new String(FakeLog.next(log.progress).report().checkpoint(), UTF_8))
                .isEqualTo("{\"transaction\":{\"id\":\"t-1\",\"lease\":101,\"result\":\"receipt\"}}");
        assertThat(producers.getFirst().transactionCommitted()).isFalse();
        kept.complete(FakeLog.done("{}"));

        assertThat(new String(((Ack) log.nextReport()).result(), UTF_8)).isEqualTo("\"receipt\"");
        assertThat(producers.getFirst().history()).hasSize(1);
        assertThat(mark()).isEqualTo(id + "/101");
    }

    private String mark() {
        return producers
                .getFirst()
                .consumerGroupOffsetsHistory()
                .getFirst()
                .get("t-1")
                .values()
                .iterator()
                .next()
                .metadata();
    }

    @Test
    void a_producer_is_used_again_once_its_last_outcome_is_known() throws Exception {
        start();
        int jobs = 0;
        do {
            log.has("pay");
            log.nextReport();
            jobs++;
        } while (ids.size() == jobs && jobs < 100);
        assertThat(ids).hasSizeLessThan(jobs);
    }

    @Test
    void a_job_that_sends_nothing_takes_no_transaction() throws Exception {
        records = 0;
        startWith("pay");
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(producers).isEmpty();
        assertThat(log.progress).isEmpty();
    }

    @Test
    void nothing_is_committed_once_the_lease_has_ended() throws Exception {
        log.progressAnswers = CompletableFuture.completedFuture(
                new Reply.Rejected(Rejection.of(ErrorCode.CONFLICT, "lease 101 has ended")));
        startWith("pay");
        Nack report = (Nack) log.nextReport();
        assertThat(report.error().code()).isEqualTo("transaction_unsettled");
        isAborted();
    }

    private void isAborted() {
        assertThat(producers.getFirst().transactionCommitted()).isFalse();
        assertThat(producers.getFirst().history()).isEmpty();
        assertThat(producers.getFirst().closed()).isTrue();
    }

    @Test
    void a_commit_that_fails_although_it_came_about_completes_the_job() throws Exception {
        commitFails = new KafkaException("no answer");
        JobId id = log.has("pay");
        marks.put("t-1", id + "/101");
        start();
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(ids).as("a successor ends what is open").containsExactly("t-1", "t-1");
    }

    @Test
    void a_commit_that_did_not_come_about_is_a_failure() throws Exception {
        commitFails = new KafkaException("aborted");
        marks.put("t-1", "of another job");
        startWith("pay");
        Nack report = (Nack) log.nextReport();
        assertThat(report.error().code()).isEqualTo("transaction_aborted");
        assertThat(report.requeue()).isFalse();
    }

    @Test
    void a_commit_of_which_nothing_can_be_found_out_gives_the_job_back() throws Exception {
        commitFails = new KafkaException("no answer");
        marksFail = new KafkaException("no broker");
        startWith("pay");
        Nack report = (Nack) log.nextReport();
        assertThat(report.error().code()).isEqualTo("transaction_unsettled");
        assertThat(report.requeue()).isTrue();
    }

    @Test
    void what_an_earlier_attempt_has_committed_is_not_done_again() throws Exception {
        JobId id = log.has("pay", open(Instant.now()));
        marks.put(OLD, id + "/7");
        start();
        assertThat(new String(((Ack) log.nextReport()).result(), UTF_8)).isEqualTo("\"old\"");
        assertThat(runs).hasValue(0);
        assertThat(ids).containsExactly(OLD);
        assertThat(producers.getFirst().transactionInitialized()).isTrue();
    }

    @Test
    void what_an_earlier_attempt_has_not_committed_is_done_after_the_job_has_forgotten_it() throws Exception {
        log.has("pay", open(Instant.now()));
        start();
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
        assertThat(runs).hasValue(1);
        assertThat(ids).containsExactly(OLD, "t-1");
        assertThat(new String(FakeLog.next(log.progress).report().checkpoint(), UTF_8))
                .isEqualTo("{\"state\":{\"row\":3}}");
        assertThat(new String(FakeLog.next(log.progress).report().checkpoint(), UTF_8))
                .startsWith("{\"state\":{\"row\":3},\"transaction\":{\"id\":\"t-1\"");
    }

    @Test
    void a_handler_does_not_run_until_it_is_known_what_became_of_an_earlier_attempt() throws Exception {
        marksFail = new KafkaException("no broker");
        log.has("pay", open(Instant.now()));
        start();
        assertThat(((Nack) log.nextReport()).requeue()).isTrue();
        assertThat(runs).hasValue(0);
    }

    @Test
    void an_earlier_attempt_that_Kafka_may_have_forgotten_is_a_failure_for_good() throws Exception {
        log.has("pay", open(Instant.now().minus(Duration.ofDays(6)).minusSeconds(1)));
        start();
        Nack report = (Nack) log.nextReport();
        assertThat(report.error().code()).isEqualTo("transaction_unsettled");
        assertThat(report.error().retryable()).isFalse();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_run_that_is_about_to_commit_does_not_time_out() throws Exception {
        CompletableFuture<Reply> kept = new CompletableFuture<>();
        log.progressAnswers = kept;
        log.has("pay", "\"timeout_ms\":3000");
        start();
        FakeLog.next(log.progress);
        time.pass(Duration.ofSeconds(3));
        kept.complete(FakeLog.done("{}"));
        assertThat(log.nextReport()).isInstanceOf(Ack.class);
    }

    @Test
    void a_worker_that_closes_leaves_a_run_that_is_about_to_commit_to_the_next_one() throws Exception {
        log.progressAnswers = new CompletableFuture<>();
        builder.grace(Duration.ofMillis(1));
        log.has("pay");
        Worker worker = start();
        FakeLog.next(log.progress);
        closeInTheBackground(worker).join();
        isAborted();
        assertThat(log.reports).isEmpty();
    }

    @Test
    void what_is_sent_after_the_handler_has_returned_is_an_error() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        CompletableFuture<Throwable> late = new CompletableFuture<>();
        builder.handleTransactionally("late", (context, transaction) -> {
            Thread.startVirtualThread(() -> {
                try {
                    await(returned);
                    transaction.send(new ProducerRecord<>("paid", new byte[] {2}));
                } catch (Throwable failure) {
                    late.complete(failure);
                }
            });
            return null;
        });
        startWith("late");
        log.nextReport();
        returned.countDown();
        assertThat(late.get()).isInstanceOf(IllegalStateException.class);
    }

    private static String open(Instant since) {
        return """
                "checkpoint":{"state":{"row":3},"transaction":{"id":"%s","lease":7,"result":"old"},"created_at":"%s"}""".formatted(OLD, Timestamps.format(since));
    }
}
