package io.floodgate.processor.topology;

import io.floodgate.processor.cron.ScheduleStanding;
import io.floodgate.topics.PartitionId;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The meters of schedules: how late their runs are, and when each of them has succeeded last. */
final class ScheduleMeters implements AutoCloseable {
    /** The most schedules with meters of their own. */
    static final int MOST = 1_000;

    /**
     * Time for which a schedule keeps its meters without a change if there are more of them: thousands that are due
     * together would take them from each other, at the expense of the thread that runs them.
     */
    static final Duration KEPT = Duration.ofMinutes(1);

    static final String LATENESS = "floodgate.processor.cron.lateness";
    static final String SUCCESS = "floodgate.processor.cron.last.success.timestamp.seconds";
    static final String INTERVAL = "floodgate.processor.cron.interval.seconds";

    /** Descriptions of the meters, as the documentation has them. */
    static final Map<String, String> DESCRIPTIONS = new LinkedHashMap<>();

    static {
        DESCRIPTIONS.put(
                LATENESS, "From an occurrence of a schedule until its queue had the job; runs by hand are left out");
        DESCRIPTIONS.put(
                SUCCESS,
                "When a run of a schedule has completed last, or since when one could have; of 1,000 schedules,"
                        + " of which one that has not changed for a minute gives way to one that does");
        DESCRIPTIONS.put(INTERVAL, "From the last occurrence of a schedule to its next one; 0 if none is known");
    }

    private static final long[] BUCKETS_MS = {
        10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 60_000, 600_000, 3_600_000
    };

    /** The gauges of a schedule. */
    private static final class Row {
        private final PartitionId log;
        private final List<Gauge> gauges = new ArrayList<>();
        private volatile ScheduleStanding standing;
        private long changedAt;

        Row(PartitionId log, ScheduleStanding standing, long now) {
            this.log = log;
            this.standing = standing;
            changedAt = now;
        }
    }

    private final MeterRegistry registry;
    private final LongSupplier nanos;
    private final Timer lateness;
    private final Map<String, Row> rows = new LinkedHashMap<>(64, 0.75f, true);

    /** @param nanos as {@link System#nanoTime} */
    ScheduleMeters(MeterRegistry registry, LongSupplier nanos) {
        this.registry = registry;
        this.nanos = nanos;
        // A summary would round each value up to a whole second before it looks for its bucket.
        lateness = Timer.builder(LATENESS)
                .description(DESCRIPTIONS.get(LATENESS))
                .serviceLevelObjectives(
                        LongStream.of(BUCKETS_MS).mapToObj(Duration::ofMillis).toArray(Duration[]::new))
                .register(registry);
    }

    void triggered(Duration late) {
        lateness.record(late);
    }

    /** @param standing null if it is paused or gone */
    synchronized void show(PartitionId log, String schedule, @Nullable ScheduleStanding standing) {
        Row row = rows.get(schedule);
        if (standing == null) {
            if (row != null) remove(schedule, row);
        } else if (row != null && row.log.equals(log)) {
            row.standing = standing;
            row.changedAt = nanos.getAsLong();
        } else {
            if (row != null) remove(schedule, row);
            if (rows.size() < MOST || removeOldest()) add(schedule, new Row(log, standing, nanos.getAsLong()));
        }
    }

    private void add(String schedule, Row row) {
        row.gauges.add(gauge(SUCCESS, schedule, row, each -> each.standing.successMillis() / 1e3));
        row.gauges.add(gauge(INTERVAL, schedule, row, each -> each.standing.intervalMillis() / 1e3));
        rows.put(schedule, row);
    }

    private Gauge gauge(String name, String schedule, Row row, ToDoubleFunction<Row> value) {
        return Gauge.builder(name, row, value)
                .description(DESCRIPTIONS.get(name))
                .tag("schedule", schedule)
                .register(registry);
    }

    private boolean removeOldest() {
        Map.Entry<String, Row> oldest = rows.entrySet().iterator().next();
        if (nanos.getAsLong() - oldest.getValue().changedAt < KEPT.toNanos()) return false;
        remove(oldest.getKey(), oldest.getValue());
        return true;
    }

    private void remove(String schedule, Row row) {
        rows.remove(schedule);
        row.gauges.forEach(registry::remove);
    }

    /** Another processor has the partition now. */
    synchronized void closed(PartitionId log) {
        for (Iterator<Row> all = rows.values().iterator(); all.hasNext(); ) {
            Row row = all.next();
            if (!row.log.equals(log)) continue;
            all.remove();
            row.gauges.forEach(registry::remove);
        }
    }

    @Override
    public synchronized void close() {
        rows.values().forEach(row -> row.gauges.forEach(registry::remove));
        rows.clear();
        registry.remove(lateness);
    }
}
