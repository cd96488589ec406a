package io.floodgate.gateway;

import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;
import static io.floodgate.gateway.http.Scope.ADMIN;
import static io.floodgate.gateway.http.Scope.CONSUME;
import static io.floodgate.gateway.http.Scope.PRODUCE;

import io.floodgate.gateway.deadletter.DeadLetterOperations;
import io.floodgate.gateway.event.EventOperations;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.Hosts;
import io.floodgate.gateway.http.Origins;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.http.RouteTable;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.queue.ConfigBody;
import io.floodgate.gateway.queue.QueueLifeOperations;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.system.LogOperations;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.gateway.system.ResetOperation;
import io.floodgate.gateway.system.SystemOperations;
import io.floodgate.gateway.worker.WorkerOperations;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All that is offered over HTTP, in one table. */
final class Api {
    private Api() {}

    static Dispatcher dispatcher(GatewayConfig config, CommandClient client, Parts parts) {
        return new Dispatcher(
                new RouteTable(routes(config, client, parts)),
                new Hosts(config.host(), config.access().allowedHosts()),
                new Origins(config.access().corsOrigins()),
                parts.memory(),
                parts.metrics(),
                parts.clock(),
                parts.ids());
    }

    static List<Route> routes(GatewayConfig config, CommandClient client, Parts parts) {
        Duration patience = config.requestTimeout();
        var jobs = new JobOperations(client, patience, parts.ids(), parts.events(), parts.doors(), parts::isClosing);
        var workers = new WorkerOperations(
                client, patience, config.defaultWait(), parts.doors(), config.testMode(), parts::isClosing);
        var queues = new QueueOperations(client, patience, parts.table(), parts.clock());
        var lives = new QueueLifeOperations(client, patience, parts.table());
        var dead = new DeadLetterOperations(client, patience);
        var events = new EventOperations(parts.events(), parts.streams());
        var logs = new LogOperations(client, patience);
        var readiness = new Readiness(client, parts::areLoaded, parts::isClosing);
        var system = new SystemOperations(readiness, parts.metrics(), parts.clock());
        List<Route> routes = new ArrayList<>(List.of(
                post("job.enqueue", "/ojs/v1/jobs", PRODUCE, jobs.enqueues()::one)
                        .upTo(EnvelopeReader.MAX_JOB_BYTES),
                post("job.enqueue_batch", "/ojs/v1/jobs/batch", PRODUCE, jobs.enqueues()::batch)
                        .upTo(Limits.BYTES_OF_A_BATCH),
                get("job.get", "/ojs/v1/jobs/{id}", jobs.get()),
                get("job.result", "/ojs/v1/jobs/{id}/result", jobs::result),
                delete("job.cancel", "/ojs/v1/jobs/{id}", PRODUCE, jobs.cancel()),
                post("job.cancel", "/ojs/v1/jobs/{id}/cancel", PRODUCE, jobs.cancel()),
                post("job.activate", "/ojs/v1/jobs/{id}/activate", PRODUCE, jobs.activate()),
                post("worker.fetch", "/ojs/v1/workers/fetch", CONSUME, workers::fetch),
                post("worker.fetch", "/ojs/v1/jobs/fetch", CONSUME, workers::fetch),
                post("worker.ack", "/ojs/v1/workers/ack", CONSUME, workers::ack).completing(),
                post("worker.ack", "/ojs/v1/jobs/{id}/ack", CONSUME, workers::ackByPath)
                        .completing(),
                post("worker.nack", "/ojs/v1/workers/nack", CONSUME, workers::nack)
                        .completing(),
                post("worker.nack", "/ojs/v1/jobs/{id}/nack", CONSUME, workers::nackByPath)
                        .completing(),
                post("worker.heartbeat", "/ojs/v1/workers/heartbeat", CONSUME, workers::heartbeat)
                        .completing(),
                post("worker.beat", "/ojs/v1/workers/beat", CONSUME, workers::beat)
                        .completing(),
                post("worker.register", "/ojs/v1/workers/register", CONSUME, workers::register),
                get("worker.health", "/ojs/v1/workers/{id}/health", workers::health),
                get("queue.list", "/ojs/v1/queues", queues::list),
                post("queue.create", QueueLifeOperations.PATH, ADMIN, lives::create)
                        .upTo(ConfigBody.MAX_BYTES),
                delete("queue.delete", "/ojs/v1/queues/{name}", ADMIN, lives::delete),
                get("queue.get", "/ojs/v1/queues/{name}", queues::one),
                get("queue.stats", "/ojs/v1/queues/{name}/stats", queues::stats),
                post("queue.pause", "/ojs/v1/queues/{name}/pause", ADMIN, queues.pause()),
                post("queue.resume", "/ojs/v1/queues/{name}/resume", ADMIN, queues.resume()),
                post("queue.pause", "/ojs/v1/admin/queues/{name}/pause", ADMIN, queues.pause()),
                post("queue.resume", "/ojs/v1/admin/queues/{name}/resume", ADMIN, queues.resume()),
                get("queue.config", "/ojs/v1/queues/{name}/config", queues::config),
                put("queue.configure", "/ojs/v1/queues/{name}/config", ADMIN, queues::configure)
                        .upTo(ConfigBody.MAX_BYTES),
                get("queue.config", "/ojs/v1/admin/queues/{name}/config", queues::config),
                put("queue.configure", "/ojs/v1/admin/queues/{name}/config", ADMIN, queues::configure)
                        .upTo(ConfigBody.MAX_BYTES),
                get("dead_letter.list", "/ojs/v1/dead-letter", dead::list),
                get("dead_letter.stats", "/ojs/v1/dead-letter/stats", dead::stats),
                get("dead_letter.get", "/ojs/v1/dead-letter/{id}", dead::one),
                post("dead_letter.retry", "/ojs/v1/dead-letter/{id}/retry", ADMIN, dead::retry)
                        .upTo(EnvelopeReader.MAX_JOB_BYTES),
                delete("dead_letter.delete", "/ojs/v1/dead-letter/{id}", ADMIN, dead::delete),
                get("event.list", "/ojs/v1/events", events::poll),
                get("event.stream", "/ojs/v1/events/stream", events::stream),
                get("log.list", "/ojs/v1/admin/logs", logs::inspect),
                post(
                        "log.acknowledge_alarm",
                        "/ojs/v1/admin/logs/{partition}/alarms/{code}/acknowledge",
                        ADMIN,
                        logs::acknowledge),
                get("set_aside.list", "/ojs/v1/admin/set-aside", logs::setAside),
                post("set_aside.retry", "/ojs/v1/admin/set-aside/{id}/retry", ADMIN, logs::retry),
                delete("set_aside.delete", "/ojs/v1/admin/set-aside/{id}", ADMIN, logs::discard),
                get("system.manifest", "/ojs/manifest", system::manifest),
                get("system.health", "/ojs/v1/health", system::health),
                get("system.health", "/health", system::health),
                get("system.ready", "/ready", system::ready),
                get("system.metrics", "/metrics", system::metrics),
                get("system.page", "/", system::frontPage)));
        if (config.testMode()) {
            var reset = new ResetOperation(client, patience, parts.table(), parts.events());
            routes.add(post("system.reset", "/ojs/v1/admin/reset", ADMIN, reset::reset));
        }
        return routes;
    }
}
