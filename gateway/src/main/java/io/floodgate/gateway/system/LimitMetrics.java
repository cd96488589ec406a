package io.floodgate.gateway.system;

import io.floodgate.gateway.event.Event;
import io.floodgate.gateway.limit.LimitOperations.Gauge;
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

/**
 * How rate limits hold jobs back (OJS rate limiting §11.2). Keys may be those of tenants, and there is no end to them: so many
 * are told apart, and all others are one.
 */
final class LimitMetrics {
    private static final String OTHER = "_other";

    private final MeterRegistry registry;
    private final int most;
    private final MultiGauge active;
    private final MultiGauge waiting;
    private final Map<String, Boolean> told = new ConcurrentHashMap<>();
    private volatile IntFunction<Collection<Gauge>> gauges = wanted -> List.of();

    LimitMetrics(MeterRegistry registry, int most) {
        this.registry = registry;
        this.most = most;
        active = MultiGauge.builder("ojs.rate_limit.active")
                .description("Jobs that run under a key")
                .register(registry);
        waiting = MultiGauge.builder("ojs.rate_limit.waiting")
                .description("Available jobs under a key")
                .register(registry);
    }

    /** @param source of the figures of so many keys */
    void askFor(IntFunction<Collection<Gauge>> source) {
        gauges = source;
    }

    void count(Event event) {
        String type = event.type();
        String key = event.subject();
        if (key == null || !type.startsWith("rate_limit.")) return;
        MemberWalk members = new MemberWalk(event.json());
        while (members.next()) {
            if (!members.nameIs("data") || !members.isObject()) continue;
            byte[] data = members.raw();
            if (type.equals("rate_limit.exceeded"))
                exceeded(capped(key), MemberWalk.text(data, "strategy").orElse(""));
            if (type.equals("rate_limit.released"))
                MemberWalk.text(data, "waited_ms").ifPresent(waited -> released(capped(key), Long.parseLong(waited)));
        }
    }

    private void exceeded(String key, String strategy) {
        Counter.builder("ojs.rate_limit.exceeded")
                .description("Times that jobs came to be held back by a limit")
                .tags("key", key, "strategy", strategy)
                .register(registry)
                .increment();
    }

    private void released(String key, long millis) {
        Timer.builder("ojs.rate_limit.wait_duration")
                .description("How long jobs were held back by a limit until one could start")
                .tags("key", key)
                .publishPercentileHistogram()
                .register(registry)
                .record(Duration.ofMillis(Math.max(0, millis)));
    }

    private String capped(String key) {
        if (told.containsKey(key)) return key;
        if (told.size() >= most) return OTHER;
        told.put(key, true);
        return key;
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
