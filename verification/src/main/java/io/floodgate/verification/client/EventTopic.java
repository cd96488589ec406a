package io.floodgate.verification.client;

import io.floodgate.topics.Topics;
import io.floodgate.topics.json.Json;
import io.floodgate.verification.history.EventSeen;
import io.floodgate.verification.history.LimitCourse;
import io.floodgate.verification.history.QueueEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import tools.jackson.databind.JsonNode;

/** Reads what was committed to {@code ojs.events}, from the beginning to the end. */
public final class EventTopic {
    private static final Duration POLL = Duration.ofMillis(500);
    /** A transaction that is open for longer hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String bootstrap;

    public EventTopic(String bootstrap) {
        this.bootstrap = bootstrap;
    }

    public List<EventSeen> ofQueues(List<String> queues) {
        return ofQueues(new HashSet<>(queues)::contains);
    }

    public List<EventSeen> ofQueues(Predicate<String> wanted) {
        List<EventSeen> events = new ArrayList<>();
        read(wanted, (key, envelope) -> add(envelope, events));
        return events;
    }

    /** What they say about how full these queues are, and why: all of a queue is on one partition, in the order of its log. */
    public List<QueueEvent> aboutQueues(List<String> queues) {
        List<QueueEvent> events = new ArrayList<>();
        read(new HashSet<>(queues)::contains, (key, envelope) -> QueueEvents.add(envelope, events));
        return events;
    }

    /** Which jobs of these queues ran on whose permits, by key. */
    public Map<String, List<LimitCourse.Run>> runsByKey(List<String> queues) {
        LimitRuns runs = new LimitRuns();
        read(new HashSet<>(queues)::contains, (key, envelope) -> runs.add(envelope));
        return runs.byKey();
    }

    /** All events, as they are on the topic. */
    public void read(Consumer<JsonNode> reader) {
        read(key -> true, (key, event) -> reader.accept(event));
    }

    /** All events of these keys with their keys, those of a key in their order. */
    public void read(Predicate<String> wanted, BiConsumer<String, JsonNode> reader) {
        try (var committed = consumer("read_committed");
                var all = consumer("read_uncommitted")) {
            List<TopicPartition> partitions = committed.partitionsFor(Topics.EVENTS).stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            committed.assign(partitions);
            all.assign(partitions);
            Map<TopicPartition, Long> ends = endsOnceSettled(partitions, committed, all);
            committed.seekToBeginning(partitions);
            while (!isRead(committed, ends)) {
                for (ConsumerRecord<String, byte[]> record : committed.poll(POLL))
                    if (wanted.test(record.key())) reader.accept(record.key(), Json.tree(record.value()));
            }
        }
    }

    /** The ends as they are now, once no transaction before them is open: the last stable offsets have reached them. */
    private static Map<TopicPartition, Long> endsOnceSettled(
            List<TopicPartition> partitions, KafkaConsumer<?, ?> committed, KafkaConsumer<?, ?> all) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<TopicPartition, Long> ends = all.endOffsets(partitions);
        while (true) {
            Map<TopicPartition, Long> stable = committed.endOffsets(partitions);
            if (ends.keySet().stream().allMatch(each -> offset(stable, each) >= offset(ends, each))) return ends;
            if (System.nanoTime() - deadline > 0)
                throw new IllegalStateException("a transaction on %s hangs: the last stable offsets are %s, the ends %s"
                        .formatted(Topics.EVENTS, stable, ends));
            Pause.of(POLL);
        }
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    private static boolean isRead(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static void add(JsonNode envelope, List<EventSeen> events) {
        JsonNode data = envelope.required("data");
        JsonNode job = data.get("job_id");
        JsonNode state = data.get("state");
        // Events about queues and workers tell nothing about a job.
        if (job == null || state == null) return;
        JsonNode lease = data.get("lease");
        JsonNode from = data.get("from_queue");
        String type = envelope.required("type").stringValue();
        events.add(new EventSeen(
                envelope.required("id").stringValue(),
                type,
                data.required("queue").stringValue(),
                from == null || !type.equals("job.moved") ? null : from.stringValue(),
                job.stringValue(),
                state.stringValue(),
                lease == null ? null : (Long) lease.longValue()));
    }

    private KafkaConsumer<String, byte[]> consumer(String isolation) {
        Map<String, Object> config = new HashMap<>();
        config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
        config.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
    }
}
