package io.floodgate.gateway;

import io.floodgate.gateway.deadletter.DeadLetterRoutes;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventRoutes;
import io.floodgate.gateway.http.BodyBudget;
import io.floodgate.gateway.http.Endpoints;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.job.JobRoutes;
import io.floodgate.gateway.queue.QueueRoutes;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.gateway.system.ResetRoute;
import io.floodgate.gateway.system.SystemRoutes;
import io.floodgate.gateway.worker.WorkerRoutes;
import io.floodgate.topics.client.CommandClient;
import io.helidon.webserver.http.HttpRouting;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Everything that is served, put together. */
record Api(
        CommandClient client,
        Duration patience,
        boolean testMode,
        Clock clock,
        Ids ids,
        BodyBudget bodies,
        StatusTable table,
        EventLog events,
        Metrics metrics,
        BooleanSupplier closing) {

    void register(HttpRouting.Builder routing) {
        Endpoints endpoints = new Endpoints(clock, ids, bodies);
        WorkerRoutes workers = new WorkerRoutes(endpoints, client, patience, testMode, closing);
        QueueRoutes queues = new QueueRoutes(endpoints, client, patience, table, clock);
        // The busiest first: routes are tried in this order.
        routing.register(
                        JobRoutes.PREFIX,
                        new JobRoutes(endpoints, client, patience, ids),
                        workers.underJobs(JobRoutes.PREFIX))
                .register(WorkerRoutes.PREFIX, workers)
                .register(QueueRoutes.PREFIX, queues)
                .register(QueueRoutes.ADMIN_PREFIX, queues.admin())
                .register(DeadLetterRoutes.PREFIX, new DeadLetterRoutes(endpoints, client, patience))
                .register(EventRoutes.PREFIX, new EventRoutes(endpoints, events))
                .register(new SystemRoutes(endpoints, new Readiness(client), metrics, clock));
        if (testMode) routing.register(new ResetRoute(endpoints, client, patience, table, events));
        routing.any(endpoints.fallback());
    }
}
