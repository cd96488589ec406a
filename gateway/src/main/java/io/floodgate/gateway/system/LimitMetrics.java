package io.floodgate.gateway.system;

import io.floodgate.gateway.limit.LimitOperations.Gauge;
import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.MemberWalk;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How rate limits hold jobs back (OJS rate limiting §11.2). Keys may be those of tenants, and their number has no
 * bound: up to {@code most} have meters of their own, all others share one. Counters follow the keys that were seen
 * first, for as long as they are in use; gauges show the keys that hold back most jobs.
 */
final class LimitMetrics {
    private static final String OTHER = "_other";
    private static final String EXCEEDED = "ojs.rate_limit.exceeded";
    private static final String WAITED = "ojs.rate_limit.wait_duration";
    private static final List<String> LIMITS = List.of("rate_limit", "queue_limit");

    /** A key that is unused for this time loses its meters if there are too many keys. */
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private final MeterRegistry registry;
    private final int most;
    private final MultiGauge active;
    private final MultiGauge waiting;
    /** Time at which each key was last seen, by the clock of the registry. */
    private final Map<String, Long> told = new ConcurrentHashMap<>();

    private volatile IntFunction<Collection<Gauge>> gauges = wanted -> List.of();

    LimitMetrics(MeterRegistry registry, int most) {
        this.registry = registry;
        this.most = most;
        active = MultiGauge.builder("ojs.rate_limit.active")
                .description("Jobs that run under a key")
                .register(registry);
        waiting = MultiGauge.builder("ojs.rate_limit.waiting")
                .description("Available jobs that a limit holds back")
                .register(registry);
    }

    /** @param source of the figures of this many keys */
    void askFor(IntFunction<Collection<Gauge>> source) {
        gauges = source;
    }

    void count(OjsEvent event) {
        String type = event.type();
        if (type.equals("job.started")) started(event);
        String key = event.subject();
        if (key == null || !type.equals("rate_limit.exceeded")) return;
        byte[] data = object(event.json(), "data");
        if (data != null)
            exceeded(capped(key), MemberWalk.text(data, "strategy").orElse(""));
    }

    /** Counts for how long limits have held a job back, if they have. */
    private void started(OjsEvent event) {
        byte[] data = object(event.json(), "data");
        if (data == null) return;
        for (String limit : LIMITS) {
            byte[] by = object(data, limit);
            String waited = by == null ? null : MemberWalk.text(by, "waited_ms").orElse(null);
            if (by == null || waited == null) continue;
            String key = MemberWalk.text(by, "key").orElse("");
            heldBack(capped(key), Long.parseLong(waited));
        }
    }

    private static byte @Nullable [] object(byte[] json, String name) {
        MemberWalk members = new MemberWalk(json);
        while (members.next()) if (members.nameIs(name)) return members.isObject() ? members.raw() : null;
        return null;
    }

    private void exceeded(String key, String strategy) {
        Counter.builder(EXCEEDED)
                .description("Times that jobs came to be held back by a limit")
                .tags("key", key, "strategy", strategy)
                .register(registry)
                .increment();
    }

    private void heldBack(String key, long millis) {
        Timer.builder(WAITED)
                .description("How long each job was held back by a limit before it started")
                .tags("key", key)
                .publishPercentileHistogram()
                .register(registry)
                .record(Duration.ofMillis(Math.max(0, millis)));
    }

    private synchronized String capped(String key) {
        long now = registry.config().clock().monotonicTime();
        if (!told.containsKey(key) && told.size() >= most) forgetOld(now);
        if (!told.containsKey(key) && told.size() >= most) return OTHER;
        told.put(key, now);
        return key;
    }

    /** Keys that were not seen for long make room for others. */
    private void forgetOld(long now) {
        for (Map.Entry<String, Long> each : List.copyOf(told.entrySet())) {
            if (now - each.getValue() < FORGOTTEN.toNanos()) continue;
            told.remove(each.getKey());
            for (String name : List.of(EXCEEDED, WAITED))
                registry.find(name).tag("key", each.getKey()).meters().forEach(registry::remove);
        }
    }

    void update() {
        List<Row<?>> running = new ArrayList<>();
        List<Row<?>> held = new ArrayList<>();
        for (Gauge gauge : gauges.apply(most)) {
            Tags key = Tags.of("key", gauge.key());
            running.add(Row.of(key, gauge.active()));
            held.add(Row.of(key, gauge.waiting()));
        }
        active.register(running, true);
        waiting.register(held, true);
    }
}
