package io.floodgate.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The meters of webhooks (OJS webhooks §11.2). */
final class DeliveryMeters {
    /** Types of events are a few; what other clients write to the topic is not to fill the memory. */
    private static final int MOST_TYPES = 100;

    private final MeterRegistry registry;
    private final Set<String> types = ConcurrentHashMap.newKeySet();
    private final Timer duration;

    DeliveryMeters(MeterRegistry registry) {
        this.registry = registry;
        duration = Timer.builder("ojs.webhook.delivery.duration")
                .description("Time that requests to subscribers took.")
                .register(registry);
    }

    void watch(Supplier<Number> subscriptions, Supplier<Number> behind) {
        Gauge.builder("ojs.webhook.subscription.count", subscriptions)
                .description("Active webhook subscriptions.")
                .register(registry);
        Gauge.builder("floodgate.webhook.events.behind", behind)
                .description("Events of which no deliveries have been made yet.")
                .register(registry);
    }

    void count(String eventType, String status, int attempt) {
        String type =
                types.contains(eventType) || (types.size() < MOST_TYPES && types.add(eventType)) ? eventType : "_other";
        Counter.builder("ojs.webhook.delivery.count")
                .description("Attempts to deliver an event, by what has come of them: success, failed, dead.")
                .tag("event_type", type)
                .tag("status", status)
                .register(registry)
                .increment();
        if (status.equals("success"))
            DistributionSummary.builder("ojs.webhook.delivery.retry_count")
                    .description("Failed attempts before a success.")
                    .tag("event_type", type)
                    .register(registry)
                    .record(attempt - 1.0);
    }

    void took(Duration time) {
        duration.record(time);
    }
}
