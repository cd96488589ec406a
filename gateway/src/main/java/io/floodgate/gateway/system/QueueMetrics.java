package io.floodgate.gateway.system;

import io.floodgate.gateway.capacity.CapacityCache;
import io.floodgate.gateway.queue.PublishedStatus;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of queues, as their partitions have published them: depths, and how bounds are kept, under the names of
 * OJS backpressure §10.2 and under those of the site's page about it.
 */
final class QueueMetrics {
    private static final List<String> STATES = List.of("available", "active", "scheduled", "retryable", "pending");

    /** Above it, a queue with a bound is about to be full. */
    private static final double FILLING = 0.5;

    private static final Comparator<PublishedStatus> FULLEST =
            Comparator.comparingDouble(PublishedStatus::pressure).reversed();
    private static final Comparator<PublishedStatus> DEEPEST = Comparator.comparingLong(
                    (PublishedStatus status) -> status.room().depth())
            .reversed();
    private static final Comparator<PublishedStatus> FILLING_OR_DEEPEST = Comparator.comparingDouble(
                    (PublishedStatus status) -> status.pressure() >= FILLING ? -status.pressure() : 0)
            .thenComparing(DEEPEST);
    /** Dates of one form: the earliest first. */
    private static final Comparator<PublishedStatus> OLDEST =
            Comparator.comparing(PublishedStatus::oldestAvailable, Comparator.nullsLast(Comparator.naturalOrder()));

    private static final Comparator<PublishedStatus> LONGEST_BLOCKED =
            Comparator.comparing(PublishedStatus::behindKeySince, Comparator.nullsLast(Comparator.naturalOrder()));

    /** The meters of a queue, and what they count, which they hold but weakly. */
    private record Counters(Figures figures, List<FunctionCounter> meters) {}

    /**
     * The jobs that a queue's partition has rejected, and those that were rejected here and are not reported yet.
     * During the report they may be in neither; the shown figure does not shrink for that.
     */
    private final class Figures {
        private final String queue;
        private final String createdAt;
        private final Map<Overflow, Long> overflows = new EnumMap<>(Overflow.class);
        private long rejected;
        private long dropped;

        Figures(PublishedStatus status) {
            queue = status.name();
            createdAt = createdAt(status);
            for (Overflow policy : Overflow.values()) overflows.put(policy, 0L);
        }

        /** Another queue may have come into being under its name: that one is counted from the beginning. */
        boolean isOf(PublishedStatus status) {
            return createdAt.equals(createdAt(status));
        }

        /** @param policy by which it has rejected jobs since the last time */
        synchronized void update(Overflow policy) {
            long before = rejected;
            rejected = Math.max(rejected, table.number(queue, "rejected") + doors.unreported(queue));
            overflows.merge(policy, rejected - before, Long::sum);
            dropped = table.number(queue, "dropped");
        }

        synchronized long rejected() {
            return rejected;
        }

        synchronized long dropped() {
            return dropped;
        }

        synchronized long overflows(Overflow policy) {
            return overflows.getOrDefault(policy, 0L) + (policy == Overflow.DROP_OLDEST ? dropped : 0);
        }
    }

    private static String createdAt(PublishedStatus status) {
        return MemberWalk.text(status.json(), "created_at").orElse("");
    }

    private final MeterRegistry registry;
    private final StatusTable table;
    private final CapacityCache doors;
    private final int most;
    private final MultiGauge depth;
    private final List<MultiGauge> pressure;
    private final List<MultiGauge> bounds;
    private final MultiGauge utilization;
    private final MultiGauge blocked;
    private final MultiGauge oldest;
    private final MultiGauge behindKeys;
    private final MultiGauge longestKey;
    private final MultiGauge oldestBehindKey;
    private final Clock clock;
    private final Map<String, Counters> counters = new HashMap<>();

    /** @param most queues that have meters */
    QueueMetrics(MeterRegistry registry, StatusTable table, CapacityCache doors, Clock clock, int most) {
        this.clock = clock;
        this.registry = registry;
        this.table = table;
        this.doors = doors;
        this.most = most;
        depth = MultiGauge.builder("ojs.queue.depth")
                .description("Jobs that are not finished, by state")
                .register(registry);
        pressure = List.of(pressure("ojs.backpressure.pressure"), pressure("ojs.queue.pressure"));
        bounds = List.of(bound("ojs.backpressure.max.depth"), bound("ojs.queue.max.size"));
        utilization = MultiGauge.builder("ojs.queue.utilization")
                .description("Unfinished jobs of a queue with a bound on them, as a part of that")
                .register(registry);
        blocked = MultiGauge.builder("ojs.queue.blocked.producers")
                .description("Producers that wait for room in a queue")
                .register(registry);
        oldest = MultiGauge.builder("ojs.queue.oldest.available.age.seconds")
                .description("How long the job has been available that has waited longest in its queue; 0 without one")
                .register(registry);
        behindKeys = MultiGauge.builder("floodgate.queue.jobs.behind.key")
                .description("Available jobs that wait for another job of their order key")
                .register(registry);
        longestKey = MultiGauge.builder("floodgate.queue.longest.key.jobs")
                .description("Unfinished jobs of the order key that has most of them")
                .register(registry);
        oldestBehindKey = MultiGauge.builder("floodgate.queue.oldest.behind.key.age.seconds")
                .description("Age of the oldest job that waits for another job of its order key")
                .register(registry);
        Gauge.builder("ojs.queues", table, StatusTable::size)
                .description("Queues that this gateway knows")
                .register(registry);
        FunctionCounter.builder("ojs.backpressure.rejected.early", doors, CapacityCache::rejected)
                .description("Jobs that this gateway has rejected without asking their queue's partition")
                .register(registry);
    }

    private MultiGauge bound(String metric) {
        return MultiGauge.builder(metric)
                .description("The bound on the depth of a queue that has one")
                .register(registry);
    }

    private MultiGauge pressure(String metric) {
        return MultiGauge.builder(metric)
                .description("How full a queue with a bound is: depth / bound, or size / bound if that is more")
                .register(registry);
    }

    /**
     * Updates the meters. Of too many queues, those show that fill up, are deep or full, or have jobs that wait long.
     */
    synchronized void update() {
        List<PublishedStatus> shown = table.first(status -> true, FILLING_OR_DEEPEST, most);
        List<PublishedStatus> bounded = table.first(status -> status.config().isBounded(), FULLEST, most);
        depths(shown);
        bounds(bounded);
        ages(table.first(status -> true, OLDEST, most));
        keys(table.first(status -> status.behindKeySince() != null, LONGEST_BLOCKED, most));
        Map<String, PublishedStatus> counted = new LinkedHashMap<>();
        for (PublishedStatus status : bounded) counted.put(status.name(), status);
        for (PublishedStatus status : shown)
            if (status.number("rejected") > 0 || status.number("dropped") > 0) counted.put(status.name(), status);
        count(counted);
    }

    private void depths(List<PublishedStatus> queues) {
        List<Row<?>> depths = new ArrayList<>();
        for (PublishedStatus status : queues) {
            Tags queue = Tags.of("queue", status.name());
            for (String state : STATES) depths.add(Row.of(queue.and("state", state), status.number(state)));
        }
        depth.register(depths, true);
    }

    private void keys(List<PublishedStatus> queues) {
        List<Row<?>> behind = new ArrayList<>();
        List<Row<?>> longest = new ArrayList<>();
        List<Row<?>> ages = new ArrayList<>();
        for (PublishedStatus status : queues) {
            Tags queue = Tags.of("queue", status.name());
            behind.add(Row.of(queue, status.number("behind_key")));
            longest.add(Row.of(queue, status.number("longest_key")));
            ages.add(Row.of(queue, age(status.behindKeySince())));
        }
        behindKeys.register(behind, true);
        longestKey.register(longest, true);
        oldestBehindKey.register(ages, true);
    }

    private void bounds(List<PublishedStatus> queues) {
        List<Row<?>> pressures = new ArrayList<>();
        List<Row<?>> depthBounds = new ArrayList<>();
        List<Row<?>> utilizations = new ArrayList<>();
        List<Row<?>> waiting = new ArrayList<>();
        for (PublishedStatus status : queues) {
            Tags queue = Tags.of("queue", status.name());
            waiting.add(Row.of(queue, status.number("blocked")));
            QueueConfig config = status.config();
            pressures.add(Row.of(queue, status.pressure()));
            if (config.depthBound() == 0) continue;
            depthBounds.add(Row.of(queue, config.depthBound()));
            double part = (double) status.room().depth() / config.depthBound();
            utilizations.add(Row.of(queue, Math.min(1, part)));
        }
        for (MultiGauge gauge : pressure) gauge.register(pressures, true);
        for (MultiGauge gauge : bounds) gauge.register(depthBounds, true);
        utilization.register(utilizations, true);
        blocked.register(waiting, true);
    }

    private void ages(List<PublishedStatus> queues) {
        List<Row<?>> ages = new ArrayList<>();
        for (PublishedStatus status : queues)
            ages.add(Row.of(Tags.of("queue", status.name()), age(status.oldestAvailable())));
        oldest.register(ages, true);
    }

    /** Returns how many seconds have gone since then; 0 if there is no time. */
    private double age(@Nullable String time) {
        Instant now = clock.instant();
        Instant since = Optional.ofNullable(time).flatMap(Timestamps::parse).orElse(now);
        return Math.max(0, Duration.between(since, now).toMillis()) / 1_000.0;
    }

    private void count(Map<String, PublishedStatus> queues) {
        counters.entrySet().removeIf(entry -> {
            PublishedStatus status = queues.get(entry.getKey());
            if (status != null && entry.getValue().figures().isOf(status)) return false;
            entry.getValue().meters().forEach(registry::remove);
            return true;
        });
        queues.forEach((name, status) -> counters.computeIfAbsent(name, n -> counters(status))
                .figures()
                .update(status.config().overflow()));
    }

    private Counters counters(PublishedStatus status) {
        String name = status.name();
        Figures figures = new Figures(status);
        List<FunctionCounter> meters = new ArrayList<>();
        for (String family : List.of("ojs.backpressure", "ojs.queue")) {
            meters.add(counter(
                    family + ".rejected",
                    "Jobs that were rejected because their queue was full",
                    Tags.of("queue", name),
                    figures,
                    Figures::rejected));
            meters.add(counter(
                    family + ".dropped",
                    "Jobs that made room for newer ones",
                    Tags.of("queue", name),
                    figures,
                    Figures::dropped));
        }
        for (Overflow policy : Overflow.values())
            meters.add(counter(
                    "ojs.queue.overflow.count",
                    "Jobs that were rejected, or made room for newer ones",
                    Tags.of("queue", name, "policy", policy.wire()),
                    figures,
                    of -> of.overflows(policy)));
        return new Counters(figures, meters);
    }

    private FunctionCounter counter(
            String metric, String description, Tags tags, Figures source, ToDoubleFunction<Figures> count) {
        return FunctionCounter.builder(metric, source, count)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
