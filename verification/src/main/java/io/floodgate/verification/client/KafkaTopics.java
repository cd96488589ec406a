package io.floodgate.verification.client;

import io.floodgate.topics.client.BrokerTimeouts;
import io.floodgate.topics.client.Provisioner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What the topics hold, seen past Floodgate. */
public final class KafkaTopics implements AutoCloseable {
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
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        admin.describeTopics(topics)
                .allTopicNames()
                .get()
                .forEach((topic, description) -> description
                        .partitions()
                        .forEach(partition ->
                                latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest())));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end : admin.listOffsets(
                        latest, new ListOffsetsOptions(isolation))
                .all()
                .get()
                .entrySet()) ends.put(end.getKey(), end.getValue().offset());
        return ends;
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
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        return admin.describeTopics(topics).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition ->
                        partition.isr().size() == partition.replicas().size());
    }

    /** Whether this broker leads nothing any more, and no other waits for what it has. */
    public boolean isGivenUp(int broker) throws InterruptedException, ExecutionException {
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true))
                .names()
                .get();
        return admin.describeTopics(topics).allTopicNames().get().values().stream()
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

    /** The controller that is active. */
    public int controller() throws InterruptedException, ExecutionException {
        return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
    }

    /** How many partitions of the topic that broker leads. */
    public long led(String topic, int broker) throws InterruptedException, ExecutionException {
        return Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .stream()
                .filter(partition ->
                        partition.leader() != null && partition.leader().id() == broker)
                .count();
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
        return admin.describeTopics(List.of(partition.topic())).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().get(partition.partition()).replicas().stream())
                .map(Node::id)
                .toList();
    }

    /** How many records each topic has had, for comparing. */
    public Map<String, Long> sizes() throws InterruptedException, ExecutionException {
        Map<String, Long> sizes = new TreeMap<>();
        ends(IsolationLevel.READ_UNCOMMITTED)
                .forEach((partition, end) -> sizes.merge(partition.topic(), end, Long::sum));
        return sizes;
    }

    /** Everything committed on a topic from its beginning, partition by partition in order. */
    public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrap, "isolation.level", "read_committed", "allow.auto.create.topics", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(partition -> new TopicPartition(topic, partition.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue()))
                consumer.poll(Duration.ofMillis(500)).forEach(reader);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
