package io.floodgate.webhook;

import io.floodgate.topics.Routing;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.client.Cluster;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.WebhookCommand.Subscription;
import io.floodgate.topics.webhook.Deliveries;
import io.floodgate.topics.webhook.WebhookTargets;
import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerConnection;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Delivers events to subscribers: a dispatcher makes jobs of events, and workers post them. Any number of processes may do so
 * for the same installation.
 */
public final class Webhooks implements AutoCloseable {
    /**
     * Each worker takes the deliveries of some partitions: of one, it gets those of all queues with one command. One for all
     * would take what is in the first queues, and come to the last ones late.
     */
    private static final int MOST_WORKERS = 16;

    /** Requests under way in all: a subscriber that answers slowly has one of them, or eight if it wants no order. */
    private static final int CONCURRENCY = 480;

    private static final Duration LONGEST = Duration.ofSeconds(70);
    /** Several subscribers that fail say nothing against the others. */
    private static final BreakerSettings NEVER = new BreakerSettings(Integer.MAX_VALUE, Duration.ofSeconds(1), 1);

    private final Cluster cluster;
    private final Routing routing;
    private final KnownSubscriptions known;
    private final WebhookEndpoint endpoint;
    private final DeliveryHandler handler;
    private final EventDispatcher dispatcher;
    private final String id = "webhooks-" + UUID.randomUUID();
    private final Map<Integer, Worker> workers = new TreeMap<>();
    private @Nullable WorkerConnection connection;

    private Webhooks(Cluster cluster, CommandClient client, WebhookEndpoint endpoint, MeterRegistry registry) {
        this.cluster = cluster;
        this.endpoint = endpoint;
        routing = client.routing();
        known = new KnownSubscriptions(client);
        DeliveryMeters meters = new DeliveryMeters(registry);
        handler = new DeliveryHandler(client, known, endpoint, meters, Clock.systemUTC());
        dispatcher = new EventDispatcher(cluster, known, new Outlet(client), this::changed);
        meters.watch(() -> known.active().size(), dispatcher::behind);
        dispatcher.start();
    }

    /** @param client of the partitions, which its owner closes later */
    public static Webhooks start(
            Cluster cluster, CommandClient client, WebhookTargets targets, MeterRegistry registry) {
        return new Webhooks(cluster, client, new WebhookEndpoint(targets), registry);
    }

    /** Workers begin with the first subscription: without any, nothing is asked for. An operator may have ended them. */
    private synchronized void changed() {
        Map<Integer, List<String>> queues = new TreeMap<>();
        workers.keySet().forEach(worker -> queues.put(worker, new ArrayList<>()));
        for (Subscription subscription : known.active()) {
            String queue = Deliveries.queue(subscription.id());
            int worker = routing.ofQueue(queue).partition() % MOST_WORKERS;
            queues.computeIfAbsent(worker, each -> new ArrayList<>()).add(queue);
        }
        queues.forEach(this::take);
    }

    private void take(int number, List<String> queues) {
        Worker worker = workers.get(number);
        if (worker != null && !worker.closed().isDone()) worker.queues(queues);
        else if (!queues.isEmpty()) workers.put(number, start(number, queues));
    }

    private Worker start(int number, List<String> queues) {
        WorkerConnection shared = connection;
        if (shared == null) {
            shared = WorkerConnection.kafka(cluster.kafka(), cluster.namespace().name());
            connection = shared;
        }
        return Worker.on(shared)
                .id(id + "-" + number)
                .queues(queues)
                .concurrency(CONCURRENCY / Math.min(MOST_WORKERS, routing.partitions()))
                .protection(change -> change.handlerTimeout(LONGEST).typeBreaker(NEVER))
                .handle(Deliveries.DELIVER, handler::deliver)
                .handle(Deliveries.TEST, handler::test)
                .start();
    }

    @Override
    public void close() {
        dispatcher.close();
        closeWorkers();
        endpoint.close();
    }

    private synchronized void closeWorkers() {
        List<Thread> closing = workers.values().stream()
                .map(worker -> Thread.startVirtualThread(worker::close))
                .toList();
        try {
            for (Thread each : closing) each.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (connection != null) connection.close();
    }
}
