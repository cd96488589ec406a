package io.floodgate.gateway;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.patch;
import static io.floodgate.gateway.http.Route.post;

import io.floodgate.gateway.admin.BulkOperations;
import io.floodgate.gateway.admin.JobAdministration;
import io.floodgate.gateway.admin.MaintenanceOperations;
import io.floodgate.gateway.admin.QueueAdministration;
import io.floodgate.gateway.admin.QueuePurge;
import io.floodgate.gateway.admin.Statistics;
import io.floodgate.gateway.admin.SystemSettings;
import io.floodgate.gateway.admin.WorkerAdministration;
import io.floodgate.gateway.deadletter.DeadLetterOperations;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import java.util.List;

/** What dashboards and operators use (OJS admin). */
final class AdminRoutes {
    private AdminRoutes() {}

    static List<Route> of(
            GatewayConfig config,
            CommandClient client,
            GatewayContext parts,
            QueueOperations queueOperations,
            QueueRows rows,
            DeadLetterOperations dead,
            WorkerAdministration workers) {
        var partitions = new Partitions(client, config.requestTimeout());
        var jobs = new JobAdministration(partitions, parts.doors(), parts.table(), parts.clock());
        var queues = new QueueAdministration(queueOperations, parts.table(), rows, parts.history(), parts.clock());
        var stats = new Statistics(
                partitions,
                parts.table(),
                parts.history(),
                parts.streams(),
                parts.clock(),
                parts.nanos(),
                parts::isClosing);
        var bulk = new BulkOperations(partitions, parts.ids(), parts.doors(), parts.clock());
        var purge = new QueuePurge(bulk);
        var maintenance = new MaintenanceOperations(partitions, parts.clock());
        var settings = new SystemSettings(shown(config), client);
        return List.of(
                get("tenant.jobs", "/ojs/v1/admin/tenants/{id}/jobs", jobs::ofTenant),
                get("stats.now", "/ojs/v1/admin/stats", stats::now),
                get("stats.stream", "/ojs/v1/admin/stats/stream", stats::stream),
                get("stats.history", "/ojs/v1/admin/stats/history", stats::history),
                get("admin.queue.list", "/ojs/v1/admin/queues", queues::list).ofQueues(),
                get("admin.queue.get", "/ojs/v1/admin/queues/{name}", queues::one)
                        .ofQueue(),
                get("admin.job.list", "/ojs/v1/admin/jobs", jobs::list).ofJobs(),
                get("admin.job.get", "/ojs/v1/admin/jobs/{id}", jobs::detail).ofJobs(),
                patch("admin.job.prioritize", "/ojs/v1/admin/jobs/{id}", ADMIN, jobs::prioritize)
                        .ofJobs(),
                delete("admin.job.delete", "/ojs/v1/admin/jobs/{id}", ADMIN, jobs::delete)
                        .ofJobs(),
                post("admin.job.retry", "/ojs/v1/admin/jobs/{id}/retry", ADMIN, jobs.retry())
                        .bringingJobs()
                        .ofJobs(),
                post("admin.job.cancel", "/ojs/v1/admin/jobs/{id}/cancel", ADMIN, jobs.cancel())
                        .ofJobs(),
                post("admin.bulk.retry", "/ojs/v1/admin/jobs/bulk/retry", ADMIN, bulk.confirmed(BulkAction.RETRY))
                        .bringingJobs(),
                post("admin.bulk.cancel", "/ojs/v1/admin/jobs/bulk/cancel", ADMIN, bulk.confirmed(BulkAction.CANCEL)),
                post("admin.bulk.delete", "/ojs/v1/admin/jobs/bulk/delete", ADMIN, bulk.confirmed(BulkAction.DELETE)),
                post("bulk.retry", "/ojs/v1/jobs/bulk/retry", ADMIN, bulk.open(BulkAction.RETRY))
                        .bringingJobs(),
                post("bulk.cancel", "/ojs/v1/jobs/bulk/cancel", ADMIN, bulk.open(BulkAction.CANCEL)),
                post("bulk.delete", "/ojs/v1/jobs/bulk/delete", ADMIN, bulk.open(BulkAction.DELETE)),
                post("queue.purge", "/ojs/v1/queues/{name}/purge", ADMIN, purge::open)
                        .ofQueue(),
                delete("queue.purge", "/ojs/v1/queues/{name}/purge", ADMIN, purge::open)
                        .ofQueue(),
                post("admin.queue.purge", "/ojs/v1/admin/queues/{name}/purge", ADMIN, purge::confirmed)
                        .ofQueue(),
                delete("admin.queue.purge", "/ojs/v1/admin/queues/{name}/purge", ADMIN, purge::confirmed)
                        .ofQueue(),
                delete("admin.queue.purge", "/ojs/v1/admin/queues/{name}/jobs", ADMIN, purge::confirmed)
                        .ofQueue(),
                get("admin.operation.get", "/ojs/v1/admin/operations/{id}", bulk::progress),
                delete("admin.operation.stop", "/ojs/v1/admin/operations/{id}", ADMIN, bulk::stop),
                post("dead_letter.retry_many", "/ojs/v1/dead-letter/retry", ADMIN, bulk::retryDead)
                        .bringingJobs(),
                post("dead_letter.purge", "/ojs/v1/dead-letter/purge", ADMIN, bulk::purgeDead),
                post("admin.dead_letter.retry_many", "/ojs/v1/admin/dead-letter/retry", ADMIN, bulk::retryDeadConfirmed)
                        .bringingJobs(),
                delete("admin.dead_letter.purge", "/ojs/v1/admin/dead-letter", ADMIN, bulk::deleteDead),
                get("system.maintenance", "/ojs/v1/admin/system/maintenance", maintenance::show),
                post("system.maintain", "/ojs/v1/admin/system/maintenance", ADMIN, maintenance::change),
                get("system.maintenance", "/ojs/v1/admin/maintenance", maintenance::show),
                post("system.maintain", "/ojs/v1/admin/maintenance", ADMIN, maintenance::change),
                get("admin.worker.list", "/ojs/v1/admin/workers", workers::list),
                get("admin.worker.get", "/ojs/v1/admin/workers/{id}", workers::one),
                delete("admin.worker.deregister", "/ojs/v1/admin/workers/{id}", ADMIN, workers::deregister),
                post("admin.worker.quiet", "/ojs/v1/admin/workers/{id}/quiet", ADMIN, workers::quiet),
                post("admin.worker.direct", "/ojs/v1/admin/workers/{id}/directive", ADMIN, workers::direct),
                post("admin.worker.direct", "/ojs/v1/admin/workers/directive", ADMIN, workers::directAll),
                get("admin.dead_letter.list", "/ojs/v1/admin/dead-letter", dead::adminList)
                        .ofJobs(),
                get("admin.dead_letter.stats", "/ojs/v1/admin/dead-letter/stats", dead::stats)
                        .ofJobs(),
                post("admin.dead_letter.retry", "/ojs/v1/admin/dead-letter/{id}/retry", ADMIN, dead::adminRetry)
                        .bringingJobs()
                        .ofJobs(),
                delete("admin.dead_letter.delete", "/ojs/v1/admin/dead-letter/{id}", ADMIN, dead::adminDelete)
                        .ofJobs(),
                get("system.config", "/ojs/v1/admin/system/config", settings::show),
                get("system.config", "/ojs/v1/admin/config", settings::show));
    }

    private static SystemSettings.Shown shown(GatewayConfig config) {
        GatewayLimits limits = config.limits();
        return new SystemSettings.Shown(
                config.testMode(),
                config.requestTimeout(),
                config.defaultWait(),
                limits.connections(),
                limits.requestBytes(),
                limits.events(),
                limits.eventStreams(),
                limits.queues());
    }
}
