package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.Outcome;
import io.floodgate.topics.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Queues as the events of a partition tell them: a reader that counts along never sees one take in more than its bounds
 * allow. Jobs must not be moved: no event says so where they were.
 */
final class CountedAlong {
    private static final Set<String> ENDS = Set.of("completed", "cancelled", "discarded");

    /** Jobs, or their bytes; what is there stays when the bound is lowered, and what was reserved comes in. */
    private static final class Figure {
        private long count;
        private long bound;
        private long allowed = Long.MAX_VALUE;
        private boolean isSwapped;

        /** @param swaps what comes above a lowered bound takes the place of others */
        void bound(long decided, long there, boolean swaps) {
            bound = decided;
            isSwapped = swaps;
            allowed = decided == 0 ? Long.MAX_VALUE : Math.max(decided, there);
        }

        void add(long more) {
            count += more;
            if (more < 0 && bound > 0 && !isSwapped) allowed = Math.max(bound, allowed + more);
        }
    }

    private static final class Queue {
        final Figure jobs = new Figure();
        final Figure bytes = new Figure();

        void bound(JsonNode config, JsonNode there) {
            boolean swaps = config.path("strategy").asString("").equals("drop_oldest");
            jobs.bound(
                    config.path("max_depth").longValue(0), there.path("depth").longValue(0), swaps);
            bytes.bound(
                    config.path("max_size_bytes").longValue(0),
                    there.path("size_bytes").longValue(0),
                    swaps);
        }
    }

    private final Map<String, Queue> queues = new TreeMap<>();
    /** What unfinished jobs take, as far as it was told. */
    private final Map<String, Long> live = new LinkedHashMap<>();

    private CountedAlong() {}

    static void check(List<Outcome> outcomes) {
        CountedAlong counted = new CountedAlong();
        outcomes.forEach(outcome -> outcome.events().forEach(event -> counted.see(Json.tree(event.envelope()))));
    }

    private void see(JsonNode event) {
        JsonNode data = event.get("data");
        if (!data.has("queue")) return;
        Queue queue = queues.computeIfAbsent(data.get("queue").stringValue(), name -> new Queue());
        switch (event.get("type").stringValue()) {
            case "queue.config_updated" -> queue.bound(data.get("config"), data);
            case "queue.created", "queue.deleted" -> queue.bound(data.path("config"), data);
            default -> {
                if (data.has("job_id") && data.has("state")) move(queue, data);
            }
        }
    }

    private void move(Queue queue, JsonNode data) {
        String job = data.get("job_id").stringValue();
        if (ENDS.contains(data.get("state").stringValue())) {
            Long size = live.remove(job);
            if (size == null) return;
            queue.jobs.add(-1);
            queue.bytes.add(-size);
            return;
        }
        if (live.containsKey(job)) return;
        long size = data.path("size_bytes").longValue(0);
        live.put(job, size);
        queue.jobs.add(1);
        queue.bytes.add(size);
        if (queue.jobs.count > queue.jobs.allowed || queue.bytes.count > queue.bytes.allowed)
            throw new AssertionError("%s comes in above the bound: %d jobs of %d, %d bytes of %d"
                    .formatted(data, queue.jobs.count, queue.jobs.allowed, queue.bytes.count, queue.bytes.allowed));
    }
}
