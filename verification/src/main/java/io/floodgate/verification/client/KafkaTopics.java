package io.floodgate.verification.client;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.Provisioner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What the topics hold, seen past Floodgate. */
public final class KafkaTopics implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(60);

    private final String bootstrap;
    private final Admin admin;

    public KafkaTopics(String bootstrap) {
        this.bootstrap = bootstrap;
        admin = Admin.create(BrokerTimeouts.in(Map.of("bootstrap.servers", bootstrap)));
    }

    public static void awaitTopics(String bootstrap, Duration patience) throws InterruptedException, TimeoutException {
        try (Provisioner provisioner = new Provisioner(Map.of("bootstrap.servers", bootstrap))) {
            Await.until(
                    "the topics are there",
                    patience,
                    () -> provisioner.routing().isPresent());
        }
    }

    /** Where each partition ends, of all topics, Kafka's own among them. */
    public Map<TopicPartition, Long> ends(IsolationLevel isolation) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (TopicDescription topic : descriptions())
            for (TopicPartitionInfo partition : topic.partitions())
                latest.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest());
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : admin.listOffsets(
                        latest, new ListOffsetsOptions(isolation))
                .all()
                .get()
                .entrySet()) ends.put(end.getKey(), end.getValue().offset());
        return ends;
    }

    private Collection<TopicDescription> descriptions() throws InterruptedException, ExecutionException {
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        return admin.describeTopics(topics).allTopicNames().get().values();
    }

    /** Partitions whose last stable offset is not their end: a transaction is open there, or hangs. */
    public List<String> openTransactions() throws InterruptedException, ExecutionException {
        // In this order: what is appended between the two questions is not taken for open.
        Map<TopicPartition, Long> ends = ends(IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> stable = ends(IsolationLevel.READ_COMMITTED);
        List<String> open = new ArrayList<>();
        ends.forEach((partition, end) -> {
            Long lastStable = stable.get(partition);
            if (lastStable != null && lastStable < end)
                open.add("%s: stable to %d of %d".formatted(partition, lastStable, end));
        });
        return open;
    }

    /** Whether the group has committed the end of each partition of the topic. */
    public boolean isProcessed(String group, String topic) throws InterruptedException, ExecutionException {
        Map<TopicPartition, Long> ends = ends(IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        return ends.entrySet().stream()
                .filter(end -> end.getKey().topic().equals(topic) && end.getValue() > 0)
                .allMatch(end -> {
                    OffsetAndMetadata position = committed.get(end.getKey());
                    return position != null && position.offset() >= end.getValue();
                });
    }

    public String clusterId() throws InterruptedException, ExecutionException {
        return admin.describeCluster().clusterId().get();
    }

    /** How many serve. */
    public int brokers() throws InterruptedException, ExecutionException {
        return admin.describeCluster().nodes().get().size();
    }

    /** Whether every replica of every partition is in sync. */
    public boolean allInSync() throws InterruptedException, ExecutionException {
        return descriptions().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition ->
                        partition.isr().size() == partition.replicas().size());
    }

    /** Whether this broker leads nothing any more, and no other waits for what it has. */
    public boolean isGivenUp(int broker) throws InterruptedException, ExecutionException {
        return descriptions().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.leader() != null
                        && partition.leader().id() != broker
                        && partition.isr().stream().noneMatch(replica -> replica.id() == broker));
    }

    /** How many partitions of the topic each member of the group has, in order. */
    public List<Integer> shares(String group, String topic) throws InterruptedException, ExecutionException {
        return describe(group).members().stream()
                .map(member -> (int) member.assignment().topicPartitions().stream()
                        .filter(partition -> partition.topic().equals(topic))
                        .count())
                .sorted()
                .toList();
    }

    /** The broker that coordinates the group. */
    public int coordinator(String group) throws InterruptedException, ExecutionException {
        return describe(group).coordinator().id();
    }

    private ConsumerGroupDescription describe(String group) throws InterruptedException, ExecutionException {
        return Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(group)).all().get().get(group));
    }

    /** What this broker is for others, in words. */
    public String describe(int broker, String group) throws InterruptedException, ExecutionException {
        return "broker %d leads %d of %d partitions%s%s"
                .formatted(
                        broker,
                        led(Topics.COMMANDS, broker),
                        partitions(Topics.COMMANDS).size(),
                        broker == coordinator(group) ? ", coordinates the group" : "",
                        broker == controller() ? ", is the active controller" : "");
    }

    /** The controller that is active. */
    public int controller() throws InterruptedException, ExecutionException {
        return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
    }

    /** How many partitions of the topic that broker leads. */
    public long led(String topic, int broker) throws InterruptedException, ExecutionException {
        return partitions(topic).stream()
                .filter(partition ->
                        partition.leader() != null && partition.leader().id() == broker)
                .count();
    }

    private List<TopicPartitionInfo> partitions(String topic) throws InterruptedException, ExecutionException {
        return Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions();
    }

    /** From now on this broker alone has the partition, and leads it. */
    public void move(TopicPartition partition, int broker, Duration patience)
            throws InterruptedException, ExecutionException, TimeoutException {
        admin.alterPartitionReassignments(Map.of(partition, Optional.of(new NewPartitionReassignment(List.of(broker)))))
                .all()
                .get();
        Await.until(
                partition + " is on broker " + broker,
                patience,
                () -> brokersOf(partition).equals(List.of(broker)));
    }

    private List<Integer> brokersOf(TopicPartition partition) throws InterruptedException, ExecutionException {
        return partitions(partition.topic()).get(partition.partition()).replicas().stream()
                .map(Node::id)
                .toList();
    }

    /**
     * Everything committed on a topic from its beginning to its end, once no transaction before that is open: partition by
     * partition in order.
     */
    public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        try (var committed = consumer("read_committed");
                var all = consumer("read_uncommitted")) {
            List<TopicPartition> partitions = committed.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            committed.assign(partitions);
            Map<TopicPartition, Long> ends = all.endOffsets(partitions);
            awaitStable(ends, committed);
            committed.seekToBeginning(partitions);
            while (ends.entrySet().stream().anyMatch(end -> committed.position(end.getKey()) < end.getValue()))
                committed.poll(POLL).forEach(reader);
        }
    }

    private static void awaitStable(Map<TopicPartition, Long> ends, KafkaConsumer<?, ?> committed) {
        long deadline = System.nanoTime() + LONGEST_TRANSACTION.toNanos();
        while (true) {
            Map<TopicPartition, Long> stable = committed.endOffsets(ends.keySet());
            if (ends.entrySet().stream().allMatch(end -> stable.getOrDefault(end.getKey(), 0L) >= end.getValue()))
                return;
            if (System.nanoTime() - deadline > 0)
                throw new IllegalStateException(
                        "a transaction hangs: the last stable offsets are %s, the ends %s".formatted(stable, ends));
            Pause.of(POLL);
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrap,
                "isolation.level",
                isolation,
                "enable.auto.commit",
                false,
                "max.poll.records",
                10_000,
                "fetch.max.wait.ms",
                20,
                "enable.metrics.push",
                false,
                "allow.auto.create.topics",
                false);
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
