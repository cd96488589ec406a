package io.floodgate.topics.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Headers;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CommandBatcherTest {
    private static final PartitionId LOG = new PartitionId(3);
    private static final PartitionId OTHER = new PartitionId(4);

    private final Queue<Thread> senders = new ConcurrentLinkedQueue<>();
    private final MockProducer<String, byte[]> producer = producer(false);
    private final CommandBatcher commandBatcher = new CommandBatcher(producer, LocalPartitions.NONE);
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    private MockProducer<String, byte[]> producer(boolean completes) {
        return new MockProducer<>(completes, null, new StringSerializer(), new ByteArraySerializer()) {
            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, Callback callback) {
                senders.add(Thread.currentThread());
                return super.send(record, callback);
            }
        };
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) throw new InterruptedException();
            Thread.onSpinWait();
        }
    }

    private void awaitRecords(int number) throws InterruptedException {
        await(() -> producer.history().size() == number);
    }

    private void send(PartitionId log, String... names) {
        for (String name : names) send(log, name, System.nanoTime());
    }

    private void send(PartitionId log, String name, long since) {
        commandBatcher.send(log, pendingCommand(name, name.getBytes(UTF_8), since));
    }

    private CommandBatcher.PendingCommand pendingCommand(String name, byte[] value, long since) {
        return new CommandBatcher.PendingCommand(
                name,
                new CommandCodec.Encoded("ack", value),
                new ReplyTo(0, "me", 1),
                new Identity("billing", null, null),
                since,
                (offset, failure, unsent) -> told.add(name
                        + (failure == null ? " at " + offset.getAsLong() : "")
                        + (failure == null ? "" : " failed: " + failure.getMessage())
                        + (unsent ? ", unsent" : "")));
    }

    private List<String> sent(int number) {
        return values(SentCommands.of(producer.history().get(number)));
    }

    private static List<String> values(List<CommandBatch.Part> parts) {
        return parts.stream().map(part -> new String(part.value(), UTF_8)).toList();
    }

    /** As the producer's own thread would. */
    private void later(Runnable action) throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(action);
        thread.join();
    }

    @Test
    void who_comes_alone_waits_for_no_client_and_stands_alone() throws Exception {
        send(LOG, "a");
        assertThat(producer.history()).hasSize(1);
        assertThat(producer.history().getFirst().key()).isEqualTo("a");
        producer.completeNext();
        assertThat(told).containsExactly("a at 0");
        send(LOG, "b");
        assertThat(producer.history()).hasSize(2);
        assertThat(sent(1)).containsExactly("b");
    }

    @Test
    void what_comes_while_a_record_is_on_its_way_travels_together_in_its_order() throws Exception {
        send(LOG, "a", "b", "c");
        assertThat(producer.history()).hasSize(1);
        later(producer::completeNext);
        assertThat(producer.history()).hasSize(2);
        assertThat(sent(1)).containsExactly("b", "c");
        assertThat(told).containsExactly("a at 0");
        send(LOG, "d");
        later(producer::completeNext);
        later(producer::completeNext);
        assertThat(sent(2)).containsExactly("d");
        assertThat(told).containsExactly("a at 0", "b at 1", "c at 1", "d at 2");
    }

    @Test
    void each_keeps_who_sent_it_and_who_waits() throws Exception {
        send(LOG, "a", "b", "c");
        later(producer::completeNext);
        assertThat(CommandBatch.decode(producer.history().get(1).value())).allSatisfy(part -> {
            assertThat(part.op()).isEqualTo("ack");
            assertThat(part.replyTo()).isEqualTo(new ReplyTo(0, "me", 1));
            assertThat(part.by()).isEqualTo("{\"name\":\"billing\"}");
        });
        assertThat(producer.history().get(1).headers().lastHeader(Headers.REPLY_TO))
                .isNull();
        assertThat(producer.history().get(1).headers().lastHeader(Headers.BY)).isNull();
    }

    @Test
    void logs_do_not_wait_for_each_other() {
        send(LOG, "a", "b");
        send(OTHER, "c");
        assertThat(producer.history()).hasSize(2);
    }

    @Test
    void a_batch_is_bounded_in_number_and_size() throws Exception {
        send(LOG, "first");
        for (int i = 0; i < 600; i++) send(LOG, "n" + i);
        for (int i = 0; i < 4; i++) SentCommands.acknowledgeNext(producer);
        assertThat(sent(1)).hasSize(250);
        assertThat(sent(2)).hasSize(250);
        assertThat(sent(3)).hasSize(100).endsWith("n599");
        for (int i = 0; i < 3; i++)
            commandBatcher.send(LOG, pendingCommand("large", new byte[200_000], System.nanoTime()));
        for (int i = 0; i < 3; i++) SentCommands.acknowledgeNext(producer);
        for (int i = 4; i < 7; i++)
            assertThat(producer.history().get(i).value()).hasSize(200_000);
    }

    @Test
    void what_fails_fails_for_all_that_travel_with_it_and_the_next_goes_all_the_same() throws Exception {
        send(LOG, "a", "b", "c");
        later(producer::completeNext);
        send(LOG, "d");
        later(() -> producer.errorNext(new TimeoutException("delivery")));
        awaitRecords(3);
        assertThat(told).containsExactly("a at 0", "b failed: delivery", "c failed: delivery");
        assertThat(sent(2)).containsExactly("d");
    }

    /** Without metadata of the topic, a producer blocks the sender; only its own thread could fetch it. */
    @Test
    void the_producers_own_thread_does_not_send_when_kafka_has_not_answered() throws Exception {
        send(LOG, "a", "b");
        Thread producersOwn = Thread.ofPlatform().start(() -> producer.errorNext(new TimeoutException("delivery")));
        producersOwn.join();
        awaitRecords(2);
        assertThat(senders).hasSize(2).doesNotContain(producersOwn);
    }

    @Test
    void the_producers_own_thread_does_not_send_again_what_it_was_rejected() throws Exception {
        send(LOG, "a");
        for (int i = 0; i < 600; i++) send(LOG, "n" + i);
        producer.sendException = new TimeoutException("Topic not present in metadata");
        Thread producersOwn = Thread.ofPlatform().start(producer::completeNext);
        producersOwn.join();
        await(() -> told.size() == 601);
        assertThat(senders).hasSize(4).containsOnlyOnce(producersOwn);
    }

    @Test
    void who_has_waited_for_too_long_is_informed_that_it_was_not_sent() throws Exception {
        send(LOG, "a");
        send(LOG, "late", System.nanoTime() - Duration.ofSeconds(11).toNanos());
        send(LOG, "b");
        later(producer::completeNext);
        assertThat(sent(1)).containsExactly("b");
        assertThat(told)
                .containsExactlyInAnyOrder("a at 0", "late failed: Kafka has not taken what stood before it, unsent");
    }

    @Test
    void a_producer_that_rejects_everything_at_once_rejects_all_that_wait() throws Exception {
        send(LOG, "a", "b");
        producer.sendException = new IllegalStateException("closed");
        later(producer::completeNext);
        assertThat(told).containsExactlyInAnyOrder("a at 0", "b failed: closed, unsent");
        send(LOG, "c");
        assertThat(told).last().isEqualTo("c failed: closed, unsent");
    }

    @Test
    void what_comes_after_closing_is_not_sent() {
        send(LOG, "a");
        commandBatcher.close(Duration.ZERO);
        send(LOG, "b");
        assertThat(told).containsExactly("b failed: closed, unsent");
    }

    @Test
    void closing_sends_what_waits() throws Exception {
        send(LOG, "a", "b", "c");
        CountDownLatch closing = new CountDownLatch(1);
        Thread closer = Thread.ofPlatform().start(() -> {
            closing.countDown();
            commandBatcher.close(Duration.ofSeconds(20));
        });
        closing.await();
        later(producer::completeNext);
        closer.join();
        assertThat(producer.closed()).isTrue();
        assertThat(sent(1)).containsExactly("b", "c");
    }

    @Test
    void nothing_is_lost_or_swapped_when_many_send_while_records_are_acknowledged_at_any_moment() throws Exception {
        MockProducer<String, byte[]> busy = producer(true);
        CommandBatcher shared = new CommandBatcher(busy, LocalPartitions.NONE);
        var appended = new ConcurrentLinkedQueue<String>();
        List<Thread> senders = new ArrayList<>();
        for (int sender = 0; sender < 4; sender++) {
            String name = "s" + sender + "-";
            senders.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 2_000; i++) {
                    String text = name + i;
                    shared.send(
                            LOG,
                            new CommandBatcher.PendingCommand(
                                    text,
                                    new CommandCodec.Encoded("ack", text.getBytes(UTF_8)),
                                    null,
                                    null,
                                    System.nanoTime(),
                                    (offset, failure, unsent) -> appended.add(text)));
                }
            }));
        }
        for (Thread thread : senders) thread.join();
        shared.close(Duration.ofSeconds(20));
        assertThat(appended).hasSize(8_000).doesNotHaveDuplicates();
        List<String> inLog = values(SentCommands.of(busy));
        assertThat(inLog).hasSize(8_000);
        for (int sender = 0; sender < 4; sender++) {
            String name = "s" + sender + "-";
            assertThat(inLog.stream().filter(text -> text.startsWith(name)).map(text -> text.substring(name.length())))
                    .isSortedAccordingTo(java.util.Comparator.comparingInt(Integer::parseInt));
        }
    }
}
