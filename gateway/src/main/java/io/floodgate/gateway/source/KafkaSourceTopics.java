package io.floodgate.gateway.source;

import static java.util.stream.Collectors.toSet;

import io.floodgate.topics.Topics;
import io.floodgate.topics.client.AdminAnswers;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.ClusterAdmin;
import io.floodgate.topics.client.SourceOffsets;
import io.floodgate.topics.command.SourceCommand.Beginning;
import io.floodgate.topics.command.SourceCommand.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the cluster, by a connection that ends with the answer: it costs nothing while nothing is asked. */
public final class KafkaSourceTopics implements SourceTopics {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Cluster cluster;

    public KafkaSourceTopics(Cluster cluster) {
        this.cluster = cluster;
    }

    private Admin admin() {
        return new ClusterAdmin(cluster.client("sources"));
    }

    @Override
    public boolean owns(String topic) {
        return cluster.namespace().owns(topic);
    }

    @Override
    public Map<String, List<Row>> of(List<Source> sources) {
        if (sources.isEmpty()) return Map.of();
        try (Admin admin = admin()) {
            Map<String, TopicDescription> topics =
                    topics(admin, sources.stream().map(Source::topic).toList());
            Map<TopicPartition, OffsetAndMetadata> committed =
                    committed(admin, cluster.namespace().ingressesGroup());
            Map<TopicPartition, Long> ends = ends(admin, topics);
            Map<String, List<Row>> rows = new HashMap<>();
            for (Source source : sources) {
                TopicDescription topic = topics.get(source.topic());
                if (topic != null) rows.put(source.name(), rows(topic, committed, ends));
            }
            return rows;
        }
    }

    @Override
    public Map<String, List<Row>> ofSinks(List<String> sinks) {
        if (sinks.isEmpty()) return Map.of();
        try (Admin admin = admin()) {
            Map<String, TopicDescription> topics = topics(admin, List.of(events()));
            Map<TopicPartition, Long> ends = ends(admin, topics);
            Map<String, List<Row>> rows = new HashMap<>();
            for (TopicDescription events : topics.values())
                for (String sink : sinks)
                    rows.put(
                            sink,
                            rows(events, committed(admin, cluster.namespace().sink(sink)), ends));
            return rows;
        }
    }

    @Override
    public String events() {
        return cluster.topic(Topics.EVENTS);
    }

    private static Map<TopicPartition, OffsetAndMetadata> committed(Admin admin, String group) {
        return AdminAnswers.await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), PATIENCE);
    }

    private static List<Row> rows(
            TopicDescription topic, Map<TopicPartition, OffsetAndMetadata> committed, Map<TopicPartition, Long> ends) {
        List<Row> rows = new ArrayList<>();
        topic.partitions().forEach(each -> {
            TopicPartition partition = new TopicPartition(topic.name(), each.partition());
            OffsetAndMetadata position = committed.get(partition);
            rows.add(new Row(
                    each.partition(), position == null ? -1 : position.offset(), ends.getOrDefault(partition, 0L)));
        });
        return rows;
    }

    /** Those that are there. */
    private static Map<String, TopicDescription> topics(Admin admin, List<String> names) {
        Map<String, TopicDescription> topics = new HashMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(names).topicNameValues();
        answers.forEach((name, answer) -> {
            try {
                topics.put(name, AdminAnswers.await(answer, PATIENCE));
            } catch (KafkaException failure) {
                if (!(failure.getCause() instanceof UnknownTopicOrPartitionException)) throw failure;
            }
        });
        return topics;
    }

    private static Map<TopicPartition, Long> ends(Admin admin, Map<String, TopicDescription> topics) {
        Set<TopicPartition> partitions = topics.values().stream()
                .flatMap(topic ->
                        topic.partitions().stream().map(each -> new TopicPartition(topic.name(), each.partition())))
                .collect(toSet());
        return new SourceOffsets(admin).of(partitions, Beginning.LATEST).join();
    }

    @Override
    public Map<Integer, Long> from(String topic, String start) {
        try (Admin admin = admin()) {
            Map<TopicPartition, Long> ends = ends(admin, topics(admin, List.of(topic)));
            Map<TopicPartition, Long> starts =
                    new SourceOffsets(admin).of(ends.keySet(), start).join();
            Map<Integer, Long> records = new TreeMap<>();
            ends.forEach((partition, end) ->
                    records.put(partition.partition(), Math.max(0, end - starts.getOrDefault(partition, end))));
            return records;
        }
    }
}
