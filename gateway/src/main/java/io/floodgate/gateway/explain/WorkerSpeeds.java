package io.floodgate.gateway.explain;

import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long runs take at a worker, compared with the other workers, type by type: jobs of different types take different times. From
 * the newest events that this gateway keeps.
 */
final class WorkerSpeeds {
    static final WorkerSpeeds NONE = new WorkerSpeeds();

    /** Upper bound of the completed runs that are compared. */
    private static final int MAX_RUNS = 5_000;

    /** @param others the median of the medians of the other workers */
    record Speed(String type, int runs, long medianMillis, long others) {
        boolean isSlow() {
            return runs >= Thresholds.SLOW_MIN_RUNS
                    && medianMillis >= Thresholds.SLOW_MIN.toMillis()
                    && medianMillis >= Thresholds.SLOW_TIMES * others;
        }

        private double times() {
            return medianMillis / (double) Math.max(1, others);
        }
    }

    /** Of a worker, the type at which it is slowest. */
    private final Map<String, Speed> slowest = new HashMap<>();

    private WorkerSpeeds() {}

    static WorkerSpeeds of(List<OjsEvent> events, Instant now) {
        Map<String, Map<String, List<Long>>> byType = new HashMap<>();
        Instant since = now.minus(Thresholds.SLOW_WINDOW);
        int seen = 0;
        for (OjsEvent event : events.reversed()) {
            if (!event.type().equals("job.completed")) continue;
            if (seen++ == MAX_RUNS
                    || Timestamps.parse(event.time()).orElse(Instant.EPOCH).isBefore(since)) break;
            read(event, byType);
        }
        WorkerSpeeds speeds = new WorkerSpeeds();
        byType.forEach(speeds::compare);
        return speeds;
    }

    private static void read(OjsEvent event, Map<String, Map<String, List<Long>>> byType) {
        String worker = "";
        long millis = -1;
        MemberWalk members = new MemberWalk(event.json());
        while (members.next()) {
            if (!members.nameIs("data") || !members.isObject()) continue;
            MemberWalk data = members.inside();
            while (data.next()) {
                if (data.nameIs("worker_id")) worker = data.text();
                else if (data.nameIs("duration_ms")) millis = Long.parseLong(data.text());
            }
        }
        if (worker.isEmpty() || millis < 0 || event.jobType() == null) return;
        byType.computeIfAbsent(event.jobType(), type -> new HashMap<>())
                .computeIfAbsent(worker, id -> new ArrayList<>())
                .add(millis);
    }

    private void compare(String type, Map<String, List<Long>> byWorker) {
        List<Long> medians = new ArrayList<>();
        for (List<Long> runs : byWorker.values()) {
            runs.sort(Comparator.naturalOrder());
            if (runs.size() >= Thresholds.SLOW_OTHERS_RUNS) medians.add(median(runs));
        }
        medians.sort(Comparator.naturalOrder());
        byWorker.forEach((worker, runs) -> {
            List<Long> others = new ArrayList<>(medians);
            if (runs.size() >= Thresholds.SLOW_OTHERS_RUNS) others.remove((Object) median(runs));
            if (others.isEmpty()) return;
            Speed speed = new Speed(type, runs.size(), median(runs), median(others));
            slowest.merge(worker, speed, (one, other) -> rank(one) >= rank(other) ? one : other);
        });
    }

    private static double rank(Speed speed) {
        return speed.isSlow() ? 1_000 + speed.times() : speed.times();
    }

    private static long median(List<Long> sorted) {
        return sorted.get((sorted.size() - 1) / 2);
    }

    /** Null if it cannot be compared. */
    @Nullable
    Speed of(String worker) {
        return slowest.get(worker);
    }
}
