package io.floodgate.gateway.system;

import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.MemberWalk;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Counters of what happened to jobs, from the events (OJS observability §8.1 and §8.2). */
final class JobMetrics {
    private static final String OTHER = "_other";

    /** Buckets of durations that OJS observability §8.2 recommends. */
    private static final Duration[] DURATIONS =
            millis(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000);

    private static final Duration[] QUEUE_TIMES =
            millis(10, 50, 100, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000);

    private record Labels(String type, String queue) {}

    private record Key(String metric, Labels labels, String state) {}

    /** Combinations of job type and queue that have meters: beyond a bound only the queue, then nothing. */
    private static final class Told {
        private final int most;
        private final Map<Labels, Boolean> labels = new ConcurrentHashMap<>();

        Told(int most) {
            this.most = most;
        }

        Labels capped(String type, String queue) {
            Labels both = new Labels(type, queue);
            if (isTold(both, most)) return both;
            Labels queueOnly = new Labels(OTHER, queue);
            return isTold(queueOnly, 2 * most) ? queueOnly : new Labels(OTHER, OTHER);
        }

        private boolean isTold(Labels one, int bound) {
            if (labels.containsKey(one)) return true;
            if (labels.size() >= bound) return false;
            labels.put(one, true);
            return true;
        }
    }

    private final MeterRegistry registry;
    private final Told counted;
    private final Told timed;
    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
    private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

    /**
     * @param mostCounted combinations of labels of counters
     * @param mostTimed the same of histograms, each of which is many series
     */
    JobMetrics(MeterRegistry registry, int mostCounted, int mostTimed) {
        this.registry = registry;
        counted = new Told(mostCounted);
        timed = new Told(mostTimed);
    }

    private static Duration[] millis(long... millis) {
        return LongStream.of(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    void count(OjsEvent event) {
        if (!event.type().startsWith("job.")) return;
        String type = text(event.jobType());
        String queue = text(event.queue());
        Labels labels = counted.capped(type, queue);
        for (String metric : metrics(event.type())) counter(metric, labels).increment();
        switch (event.type()) {
            case "job.completed", "job.discarded", "job.cancelled" -> {
                String state = event.type().substring("job.".length());
                time("ojs.job.duration", "duration_ms", state, DURATIONS, event, timed.capped(type, queue));
            }
            case "job.started" ->
                time("ojs.job.queue_time", "queue_time_ms", "", QUEUE_TIMES, event, timed.capped(type, queue));
            default -> {}
        }
    }

    /** A job has failed when it is discarded; the event of that name is about a run. */
    private static List<String> metrics(String event) {
        return switch (event) {
            case "job.failed" -> List.of("ojs.run.failed");
            case "job.discarded" -> List.of("ojs.job.discarded", "ojs.job.failed");
            default -> List.of("ojs." + event);
        };
    }

    private Counter counter(String metric, Labels labels) {
        return counters.computeIfAbsent(
                new Key(metric, labels, ""),
                key -> Counter.builder(metric)
                        .description(description(metric))
                        .tags("type", labels.type, "queue", labels.queue)
                        .register(registry));
    }

    private static String description(String metric) {
        return switch (metric) {
            case "ojs.run.failed" -> "Runs of jobs that failed";
            case "ojs.job.failed" -> "Jobs that were discarded";
            default -> "Events of type " + metric.substring("ojs.".length());
        };
    }

    private void time(String metric, String field, String state, Duration[] buckets, OjsEvent event, Labels labels) {
        String millis = data(event, field);
        if (millis == null) return;
        timers.computeIfAbsent(new Key(metric, labels, state), key -> timer(key, buckets))
                .record(Duration.ofMillis(Math.max(0, Long.parseLong(millis))));
    }

    private Timer timer(Key key, Duration[] buckets) {
        Timer.Builder timer = Timer.builder(key.metric)
                .description(
                        key.state.isEmpty()
                                ? "From a job's enqueueing to its first start"
                                : "How long the last run of a job took, by the state it ended in")
                .tags("type", key.labels.type, "queue", key.labels.queue)
                .serviceLevelObjectives(buckets);
        return (key.state.isEmpty() ? timer : timer.tag("state", key.state)).register(registry);
    }

    private static @Nullable String data(OjsEvent event, String field) {
        MemberWalk members = new MemberWalk(event.json());
        while (members.next())
            if (members.nameIs("data") && members.isObject())
                return MemberWalk.text(members.raw(), field).orElse(null);
        return null;
    }

    private static String text(@Nullable String label) {
        return label == null ? "" : label;
    }
}
