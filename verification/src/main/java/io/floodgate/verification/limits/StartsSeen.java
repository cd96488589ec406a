package io.floodgate.verification.limits;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** What the answers of fetches say of starts; for several threads. */
final class StartsSeen {
    /** @param at {@code started_at} of the job, in milliseconds since the epoch */
    private record Start(long at, long ageMs) {
        private long arrived() {
            return at + ageMs;
        }
    }

    private final Map<String, List<Start>> byKey = new TreeMap<>();

    /** @param job as a fetch has answered with it, just now */
    synchronized void add(JsonNode job) {
        long now = System.currentTimeMillis();
        long at = Instant.parse(job.required("started_at").stringValue()).toEpochMilli();
        byKey.computeIfAbsent(job.required("args").required(0).stringValue(), key -> new ArrayList<>())
                .add(new Start(at, now - at));
    }

    synchronized long[] starts(String key) {
        return byKey.getOrDefault(key, List.of()).stream()
                .mapToLong(Start::at)
                .sorted()
                .toArray();
    }

    /** How old {@code started_at} was when the answer arrived, shortest first, in answers that arrived since then. */
    synchronized long[] ages(long since) {
        return byKey.values().stream()
                .flatMap(List::stream)
                .filter(start -> start.arrived() >= since)
                .mapToLong(Start::ageMs)
                .sorted()
                .toArray();
    }
}
