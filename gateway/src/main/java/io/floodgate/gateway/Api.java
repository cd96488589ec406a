package io.floodgate.gateway;

import io.floodgate.gateway.deadletter.DeadLetterOperations;
import io.floodgate.gateway.event.EventLog;
import io.floodgate.gateway.event.EventOperations;
import io.floodgate.gateway.memory.MemoryBudget;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.Ids;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.gateway.system.Metrics;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.gateway.system.ResetOperation;
import io.floodgate.gateway.system.SystemOperations;
import io.floodgate.gateway.worker.WorkerOperations;
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
        MemoryBudget bodies,
        StatusTable table,
        EventLog events,
        Metrics metrics,
        BooleanSupplier closing) {

    void register(HttpRouting.Builder routing) {
        Dispatcher endpoints = new Dispatcher(clock, ids, bodies);
        WorkerOperations workers = new WorkerOperations(endpoints, client, patience, testMode, closing);
        QueueOperations queues = new QueueOperations(endpoints, client, patience, table, clock);
        // The busiest first: routes are tried in this order.
        routing.register(
                        JobOperations.PREFIX,
                        new JobOperations(endpoints, client, patience, ids),
                        workers.underJobs(JobOperations.PREFIX))
                .register(WorkerOperations.PREFIX, workers)
                .register(QueueOperations.PREFIX, queues)
                .register(QueueOperations.ADMIN_PREFIX, queues.admin())
                .register(DeadLetterOperations.PREFIX, new DeadLetterOperations(endpoints, client, patience))
                .register(EventOperations.PREFIX, new EventOperations(endpoints, events))
                .register(new SystemOperations(endpoints, new Readiness(client), metrics, clock));
        if (testMode) routing.register(new ResetOperation(endpoints, client, patience, table, events));
        routing.any(endpoints.fallback());
    }
}
