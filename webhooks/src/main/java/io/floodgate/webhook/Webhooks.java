package io.floodgate.webhook;

import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.webhook.Deliveries;
import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to subscribers: a dispatcher makes jobs of events, and a worker posts them. Any number of processes may do so
 * for the same installation.
 */
public final class Webhooks implements AutoCloseable {
    /** Requests under way: a subscriber that answers slowly has one of them, or eight if it wants no order. */
    private static final int CONCURRENCY = 400;

    private static final Duration LONGEST = Duration.ofSeconds(70);
    /** Several subscribers that fail say nothing against the others. */
    private static final BreakerSettings NEVER = new BreakerSettings(Integer.MAX_VALUE, Duration.ofSeconds(1), 1);

    private final KnownSubscriptions known;
    private final WebhookEndpoint endpoint;
    private final WorkerBuilder builder;
    private final EventDispatcher dispatcher;
    private @Nullable Worker worker;

    private Webhooks(Cluster cluster, CommandClient client, WebhookEndpoint endpoint, MeterRegistry registry) {
        this.endpoint = endpoint;
        known = new KnownSubscriptions(client);
        DeliveryMeters meters = new DeliveryMeters(registry);
        DeliveryHandler handler = new DeliveryHandler(client, known, endpoint, meters, Clock.systemUTC());
        builder = Worker.kafka(cluster.kafka(), cluster.namespace().name())
                .node(cluster.onNode("webhooks").node())
                .id("webhooks-" + UUID.randomUUID())
                .concurrency(CONCURRENCY)
                .protection(change -> change.handlerTimeout(LONGEST).typeBreaker(NEVER))
                .handle(Deliveries.DELIVER, handler::deliver)
                .handle(Deliveries.TEST, handler::test);
        dispatcher = new EventDispatcher(cluster, known, new Outlet(client), this::changed).start();
        meters.watch(() -> known.active().size(), dispatcher::behind);
    }

    /** @param client of the partitions, which its owner closes later */
    public static Webhooks start(
            Cluster cluster, CommandClient client, WebhookTargets targets, MeterRegistry registry) {
        return new Webhooks(cluster, client, new WebhookEndpoint(targets), registry);
    }

    /** The worker begins with the first subscription: without any, nothing is asked for. An operator may have ended it. */
    private synchronized void changed() {
        List<String> queues = known.active().stream()
                .map(Subscription::id)
                .map(Deliveries::queue)
                .toList();
        Worker present = worker;
        if (present != null && !present.closed().isDone()) present.queues(queues);
        else if (!queues.isEmpty()) worker = builder.queues(queues).start();
    }

    @Override
    public void close() {
        dispatcher.close();
        closeWorker();
        endpoint.close();
    }

    private synchronized void closeWorker() {
        Worker present = worker;
        if (present != null) present.close();
    }
}
