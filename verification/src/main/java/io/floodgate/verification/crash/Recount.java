package io.floodgate.verification.crash;

import io.floodgate.processor.store.Keys;
import io.floodgate.topics.Topics;
import io.floodgate.topics.json.Json;
import io.floodgate.verification.client.Caller;
import io.floodgate.verification.client.Caller.Heard;
import io.floodgate.verification.client.KafkaTopics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What topics say when all is quiet: whether the counts that a queue states are those of its jobs, and what is undelivered. */
final class Recount {
    private static final List<String> STATES =
            List.of("available", "active", "scheduled", "retryable", "pending", "completed", "discarded", "cancelled");

    private static final String CHANGELOG = "floodgate-entities-changelog";

    private Recount() {}

    static List<String> differences(KafkaTopics cluster, List<String> urls, Map<String, Map<String, Long>> counted)
            throws IOException {
        Map<String, JsonNode> published = queues(cluster);
        List<String> differences = new ArrayList<>();
        try (Caller caller = new Caller(urls, 0, Duration.ofSeconds(10))) {
            for (Map.Entry<String, Map<String, Long>> queue : counted.entrySet()) {
                JsonNode topic = published.get(queue.getKey());
                if (topic == null) differences.add("queue %s is not on %s".formatted(queue, Topics.QUEUE_STATUS));
                else compare(queue.getKey(), "on " + Topics.QUEUE_STATUS, topic, queue.getValue(), differences);
                Heard asked = caller.get("/ojs/v1/queues/%s/stats".formatted(queue.getKey()));
                if (asked.isOk())
                    compare(
                            queue.getKey(),
                            "when asked",
                            asked.body().required("stats"),
                            queue.getValue(),
                            differences);
                else differences.add("queue %s cannot be asked: %d".formatted(queue.getKey(), asked.status()));
            }
        }
        return differences;
    }

    /** Returns all queues, with their statuses. */
    static Map<String, JsonNode> queues(KafkaTopics cluster) {
        Map<String, JsonNode> published = new HashMap<>();
        cluster.read(
                Topics.QUEUE_STATUS,
                record -> published.put(
                        new String(record.key(), StandardCharsets.UTF_8),
                        record.value() == null ? Json.tree(new byte[] {'{', '}'}) : Json.tree(record.value())));
        return published;
    }

    private static void compare(
            String queue, String where, JsonNode status, Map<String, Long> counted, List<String> differences) {
        for (String state : STATES) {
            long stated = status.path(state).longValue(0);
            long found = counted.getOrDefault(state, 0L);
            if (stated != found)
                differences.add(
                        "queue %s states %d %s (%s), and there are %d".formatted(queue, stated, state, where, found));
        }
    }

    /** Messages between partitions that were not delivered, as far as is committed: what waits in the store of the outboxes. */
    static List<String> undelivered(KafkaTopics cluster) {
        Map<String, byte[]> waiting = new LinkedHashMap<>();
        cluster.read(CHANGELOG, record -> {
            if (!startsWith(record.key(), Keys.allOutbox())) return;
            String message = record.partition() + "/" + Arrays.toString(record.key());
            if (record.value() == null) waiting.remove(message);
            else waiting.put(message, record.value());
        });
        return new ArrayList<>(waiting.keySet());
    }

    private static boolean startsWith(byte[] key, byte[] prefix) {
        return key.length >= prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }
}
