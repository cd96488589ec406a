package io.floodgate.processor.topology.ingress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Namespace;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.client.CommandRequest;
import io.floodgate.topics.client.LocalPartitions;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.command.SchemaCommand.ChangedSchemas;
import io.floodgate.topics.command.SchemaCommand.Changes;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.command.SourceCommand.ListSources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What becomes of records that are read while it is not known yet which topic they are of. */
final class ForwarderTest {
    private static final TopicPartition PARTITION = new TopicPartition(Topics.ingress("email"), 0);

    private final BlockingQueue<Forward> sent = new LinkedBlockingQueue<>();

    private final class Client implements CommandClient {
        @Override
        public Routing routing() {
            return new Routing(8);
        }

        @Override
        public CompletableFuture<Reply> send(CommandRequest request) {
            if (request.command() instanceof ChangedSchemas)
                return CompletableFuture.completedFuture(
                        new Reply.Done(ReplyLines.write(new Changes(Revision.NONE, true, false))
                                .toBytes()));
            if (request.command() instanceof ListSources)
                return CompletableFuture.completedFuture(
                        new Reply.Done(ReplyLines.write(new RegistryHead(0)).toBytes()));
            sent.add((Forward) request.command());
            return CompletableFuture.completedFuture(new Reply.Done("{}".getBytes(UTF_8)));
        }

        @Override
        public void close() {}
    }

    private static ConsumerRecord<byte[], byte[]> record() {
        byte[] job = "{\"type\":\"a\",\"args\":[]}".getBytes(UTF_8);
        return new ConsumerRecord<>(PARTITION.topic(), 0, 0, null, job);
    }

    @Test
    void records_of_a_topic_that_is_not_listed_yet_come_in_once_it_is() throws Exception {
        BlockingQueue<String> subscribed = new LinkedBlockingQueue<>();
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest") {
            @Override
            public synchronized void subscribe(Pattern topics, ConsumerRebalanceListener listener) {
                super.subscribe(topics, listener);
                subscribed.add(topics.pattern());
            }

            @Override
            public synchronized void unsubscribe() {
                super.unsubscribe();
                subscribed.add("none");
            }
        };
        AtomicReference<Map<String, String>> listed = new AtomicReference<>(Map.of());
        BlockingQueue<Long> read = new LinkedBlockingQueue<>();
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(PARTITION));
            consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
            consumer.addRecord(record());
        });
        consumer.schedulePollTask(() -> read.add(consumer.position(PARTITION)));
        AtomicBoolean isAbsent = new AtomicBoolean();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1"));
        try (Forwarder forwarder = new Forwarder(
                Namespace.NONE,
                LocalPartitions.NONE,
                consumer,
                admin,
                listed::get,
                Duration.ofMillis(50),
                new FlowFactory(
                        Namespace.NONE,
                        Client::new,
                        timer,
                        (partition, start) -> CompletableFuture.completedFuture(0L),
                        () -> new SourceDeadLetters(() -> {
                            throw new AssertionError("a dead letter");
                        }),
                        () -> {}),
                isAbsent::get,
                1_000)) {
            forwarder.start();
            assertThat(read.poll(20, TimeUnit.SECONDS)).isZero();
            assertThat(sent).isEmpty();

            // This consumer forgets what it has handed out.
            consumer.schedulePollTask(() -> consumer.addRecord(record()));
            listed.set(Map.of(PARTITION.topic(), "an id"));
            Forward command = sent.poll(20, TimeUnit.SECONDS);
            assertThat(command).isNotNull();
            assertThat(command.offset()).isZero();

            subscribed.clear();
            isAbsent.set(true);
            assertThat(subscribed.poll(20, TimeUnit.SECONDS)).isEqualTo("none");
            isAbsent.set(false);
            String last = "none";
            while ("none".equals(last)) last = subscribed.poll(20, TimeUnit.SECONDS);
            assertThat(last).isEqualTo(Namespace.NONE.ingresses().pattern());
        } finally {
            timer.shutdownNow();
        }
    }
}
