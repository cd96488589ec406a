package io.floodgate.gateway.worker;

import static io.floodgate.gateway.access.Scope.CONSUME;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.post;

import io.floodgate.gateway.http.Route;
import java.util.List;

/** The routes of workers: they take jobs, and say what has become of them. */
public final class WorkerRoutes {
    private WorkerRoutes() {}

    public static List<Route> of(WorkerOperations workers) {
        return List.of(
                post("worker.fetch", "/ojs/v1/workers/fetch", CONSUME, workers::fetch)
                        .ofJobs(),
                post("worker.fetch", "/ojs/v1/jobs/fetch", CONSUME, workers::fetch)
                        .ofJobs(),
                post("worker.ack", "/ojs/v1/workers/ack", CONSUME, workers::ack)
                        .ofJobs()
                        .completing(),
                post("worker.ack", "/ojs/v1/jobs/{id}/ack", CONSUME, workers::ackByPath)
                        .ofJobs()
                        .completing(),
                post("worker.nack", "/ojs/v1/workers/nack", CONSUME, workers::nack)
                        .ofJobs()
                        .completing(),
                post("worker.nack", "/ojs/v1/jobs/{id}/nack", CONSUME, workers::nackByPath)
                        .ofJobs()
                        .completing(),
                post("worker.heartbeat", "/ojs/v1/workers/heartbeat", CONSUME, workers::heartbeat)
                        .ofJobs()
                        .completing(),
                post("worker.beat", "/ojs/v1/workers/beat", CONSUME, workers::beat)
                        .ofJobs()
                        .completing(),
                post("worker.register", "/ojs/v1/workers/register", CONSUME, workers::register)
                        .ofJobs(),
                get("worker.health", "/ojs/v1/workers/{id}/health", workers::health));
    }
}
