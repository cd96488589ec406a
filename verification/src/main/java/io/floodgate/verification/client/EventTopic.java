package io.floodgate.verification.client;

import io.floodgate.topics.Topics;
import io.floodgate.topics.json.Json;
import io.floodgate.verification.history.EventSeen;
import io.floodgate.verification.history.LimitCourse;
import io.floodgate.verification.history.QueueEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Reads what was committed to {@code ojs.events}, from the beginning to the end. */
public final class EventTopic {
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
        try (KafkaTopics topics = new KafkaTopics(bootstrap)) {
            topics.read(Topics.EVENTS, record -> {
                String key = new String(record.key(), StandardCharsets.UTF_8);
                if (wanted.test(key)) reader.accept(key, Json.tree(record.value()));
            });
        }
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
                Instant.parse(envelope.required("time").stringValue()),
                type,
                data.required("queue").stringValue(),
                from == null || !type.equals("job.moved") ? null : from.stringValue(),
                job.stringValue(),
                state.stringValue(),
                lease == null ? null : (Long) lease.longValue()));
    }
}
