package io.floodgate.gateway;

import static io.floodgate.gateway.access.Scope.ADMIN;
import static io.floodgate.gateway.access.Scope.CONSUME;
import static io.floodgate.gateway.access.Scope.OBSERVE;
import static io.floodgate.gateway.access.Scope.PRODUCE;
import static io.floodgate.gateway.http.Route.delete;
import static io.floodgate.gateway.http.Route.get;
import static io.floodgate.gateway.http.Route.patch;
import static io.floodgate.gateway.http.Route.post;
import static io.floodgate.gateway.http.Route.put;

import io.floodgate.gateway.access.Authenticator;
import io.floodgate.gateway.admin.JobAdministration;
import io.floodgate.gateway.admin.TenantAdministration;
import io.floodgate.gateway.admin.WorkerAdministration;
import io.floodgate.gateway.cron.CronOperations;
import io.floodgate.gateway.cron.CronRoutes;
import io.floodgate.gateway.deadletter.DeadLetterOperations;
import io.floodgate.gateway.event.EndWait;
import io.floodgate.gateway.event.EventOperations;
import io.floodgate.gateway.explain.ExplainBudget;
import io.floodgate.gateway.explain.ExplainOperations;
import io.floodgate.gateway.explain.FactSource;
import io.floodgate.gateway.explain.Overview;
import io.floodgate.gateway.explain.PlannedProblems;
import io.floodgate.gateway.explain.ScheduleExplanations;
import io.floodgate.gateway.explain.ServerExplanations;
import io.floodgate.gateway.explain.ServerProblems;
import io.floodgate.gateway.explain.SourceExplainer;
import io.floodgate.gateway.explain.WorkflowExplanations;
import io.floodgate.gateway.http.CorsPolicy;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.HostCheck;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.http.RouteTable;
import io.floodgate.gateway.job.BulkEnqueue;
import io.floodgate.gateway.job.CheckpointRoutes;
import io.floodgate.gateway.job.Checkpoints;
import io.floodgate.gateway.job.DuplicateCounts;
import io.floodgate.gateway.job.Enqueues;
import io.floodgate.gateway.job.EventTriggers;
import io.floodgate.gateway.job.JobOperations;
import io.floodgate.gateway.job.JobProgress;
import io.floodgate.gateway.job.WaysIn;
import io.floodgate.gateway.limit.LimitOperations;
import io.floodgate.gateway.limit.LimitRoutes;
import io.floodgate.gateway.openapi.OpenApi;
import io.floodgate.gateway.pool.PoolOperations;
import io.floodgate.gateway.pool.PoolRoutes;
import io.floodgate.gateway.pool.QueueOrder;
import io.floodgate.gateway.pool.SchedulingStats;
import io.floodgate.gateway.queue.ConfigBody;
import io.floodgate.gateway.queue.QueueLifeOperations;
import io.floodgate.gateway.queue.QueueOperations;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.gateway.queue.QueueTopics;
import io.floodgate.gateway.schema.SchemaCheck;
import io.floodgate.gateway.schema.SchemaOperations;
import io.floodgate.gateway.schema.SchemaRoutes;
import io.floodgate.gateway.schema.SubjectRegistry;
import io.floodgate.gateway.source.SourceOperations;
import io.floodgate.gateway.source.SourceRoutes;
import io.floodgate.gateway.source.SourceTopics;
import io.floodgate.gateway.source.SourceWatch;
import io.floodgate.gateway.source.TroubledSinks;
import io.floodgate.gateway.system.Manifest;
import io.floodgate.gateway.system.PartitionOperations;
import io.floodgate.gateway.system.PartitionOwners;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.gateway.system.ResetOperation;
import io.floodgate.gateway.system.SystemOperations;
import io.floodgate.gateway.unique.UniqueKeyOperations;
import io.floodgate.gateway.unique.UniqueKeyRoutes;
import io.floodgate.gateway.webhook.TroubledSubscriptions;
import io.floodgate.gateway.webhook.WebhookRoutes;
import io.floodgate.gateway.worker.WorkerOperations;
import io.floodgate.gateway.worker.WorkerRoutes;
import io.floodgate.gateway.workflow.WorkflowOperations;
import io.floodgate.gateway.workflow.WorkflowRoutes;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.trace.JobTracing;
import java.util.ArrayList;
import java.util.List;

/** All that is offered over HTTP, in one table. */
final class Api {
    private Api() {}

    static Dispatcher dispatcher(
            GatewayConfig config,
            CommandClient client,
            GatewayContext parts,
            QueueTopics topics,
            PartitionOwners owners,
            SourceTopics sources,
            Authenticator callers) {
        return new Dispatcher(
                new RouteTable(RequestSpans.around(
                        new JobTracing(null), routes(config, client, parts, topics, owners, sources))),
                new HostCheck(config.host(), config.access().allowedHosts()),
                new CorsPolicy(config.access().corsOrigins()),
                callers,
                parts.memory(),
                parts.overload(),
                parts.metrics(),
                parts.clock(),
                parts.ids());
    }

    static List<Route> routes(
            GatewayConfig config,
            CommandClient client,
            GatewayContext parts,
            QueueTopics topics,
            PartitionOwners owners,
            SourceTopics sources) {
        var partitions = new Partitions(client, config.requestTimeout());
        var jobAdmin = new JobAdministration(partitions, parts.doors(), parts.table(), parts.clock());
        var ways = new WaysIn(client, topics);
        var duplicates = new DuplicateCounts(parts.metrics().registry());
        var schemas =
                new SchemaCheck(parts.schemas(), partitions, parts.metrics().registry());
        var ends = new EndWait(parts.events(), parts::isClosing);
        var jobs = new JobOperations(
                partitions,
                new Enqueues(partitions, parts.ids(), parts.doors(), ways, parts.overload(), duplicates, schemas),
                ends,
                parts.doors(),
                parts.clock());
        var triggers = new EventTriggers(jobs.enqueues(), partitions);
        var bulk = new BulkEnqueue(jobs.enqueues(), parts.ids());
        var progress = new JobProgress(partitions, parts.events(), parts.streams(), parts::isClosing);
        var workers = new WorkerOperations(
                partitions,
                config.defaultWait(),
                parts.directives(),
                parts.doors(),
                new QueueOrder(partitions, parts.table()),
                config.testMode(),
                parts::isClosing);
        var queues = new QueueOperations(partitions, parts.table(), parts.clock());
        var limits = new LimitOperations(partitions);
        parts.metrics().showLimits(limits::gauges);
        var lives = new QueueLifeOperations(partitions, parts.table(), topics, ways);
        var budget = new ExplainBudget(parts.nanos());
        var source = new FactSource(partitions, owners);
        var explain = new ExplainOperations(source, parts.table(), parts.events(), budget, parts.clock());
        var dead = new DeadLetterOperations(partitions);
        var events = new EventOperations(parts.events(), parts.streams());
        var logs = new PartitionOperations(partitions);
        var readiness = new Readiness(client, parts::areLoaded, parts::isClosing);
        boolean open = config.access().keys().isEmpty();
        var system = new SystemOperations(
                readiness,
                parts.metrics(),
                parts.overload(),
                parts.clock(),
                open,
                config.access().services().codecServer());
        var workerAdmin = new WorkerAdministration(partitions, parts.directives(), parts.nanos());
        var server = new ServerExplanations(
                source, limits, readiness, parts.overload(), parts.table(), budget, parts.clock());
        List<Route> routes = new ArrayList<>(List.of(
                post("job.enqueue", "/ojs/v1/jobs", PRODUCE, triggers::enqueue)
                        .ofJobs()
                        .upTo(EnvelopeReader.MAX_JOB_BYTES)
                        .bringingJobs(),
                post("job.enqueue_batch", "/ojs/v1/jobs/batch", PRODUCE, jobs.enqueues()::batch)
                        .ofJobs()
                        .upTo(Limits.BYTES_OF_A_BATCH)
                        .bringingJobs(),
                post("job.enqueue_bulk", "/ojs/v1/jobs/bulk", PRODUCE, bulk::enqueue)
                        .ofJobs()
                        .upTo(Limits.BYTES_OF_A_BATCH)
                        .bringingJobs(),
                get("job.get", "/ojs/v1/jobs/{id}", jobs.get()).ofJobs(),
                get("job.explain", "/ojs/v1/jobs/{id}/explain", explain::job).ofJobs(),
                get("job.result", "/ojs/v1/jobs/{id}/result", jobs::result).ofJobs(),
                post("job.results", "/ojs/v1/jobs/results", OBSERVE, jobs::results)
                        .ofJobs(),
                get("job.follow_result", "/ojs/v1/jobs/{id}/result/stream", progress::streamOfResult)
                        .ofJobs(),
                delete("job.cancel", "/ojs/v1/jobs/{id}", PRODUCE, jobs.cancel())
                        .ofJobs(),
                post("job.cancel", "/ojs/v1/jobs/{id}/cancel", PRODUCE, jobs.cancel())
                        .ofJobs(),
                post("job.activate", "/ojs/v1/jobs/{id}/activate", PRODUCE, jobs.activate())
                        .ofJobs(),
                post("job.skip", "/ojs/v1/jobs/{id}/skip", PRODUCE, jobs.skip()).ofJobs(),
                get("queue.list", "/ojs/v1/queues", queues::list).ofQueues(),
                post("queue.create", QueueLifeOperations.PATH, ADMIN, lives::create)
                        .upTo(ConfigBody.MAX_BYTES),
                delete("queue.delete", "/ojs/v1/queues/{name}", ADMIN, lives::delete),
                get("queue.get", "/ojs/v1/queues/{name}", queues::one).ofQueue(),
                get("queue.explain", "/ojs/v1/queues/{name}/explain", explain::queue)
                        .ofQueue(),
                get("queue.priorities", "/ojs/v1/queues/{name}/priority-stats", queues::priorities)
                        .ofQueue(),
                get("queue.stats", "/ojs/v1/queues/{name}/stats", queues::stats).ofQueue(),
                post("queue.pause", "/ojs/v1/queues/{name}/pause", ADMIN, queues.pause())
                        .ofQueue(),
                post("queue.resume", "/ojs/v1/queues/{name}/resume", ADMIN, queues.resume())
                        .ofQueue(),
                post("queue.pause", "/ojs/v1/admin/queues/{name}/pause", ADMIN, queues.pause())
                        .ofQueue(),
                post("queue.resume", "/ojs/v1/admin/queues/{name}/resume", ADMIN, queues.resume())
                        .ofQueue(),
                get("queue.config", "/ojs/v1/queues/{name}/config", queues::config)
                        .ofQueue(),
                put("queue.configure", "/ojs/v1/queues/{name}/config", ADMIN, queues::configure)
                        .upTo(ConfigBody.MAX_BYTES),
                get("queue.config", "/ojs/v1/admin/queues/{name}/config", queues::config)
                        .ofQueue(),
                put("queue.configure", "/ojs/v1/admin/queues/{name}/config", ADMIN, queues::configure)
                        .upTo(ConfigBody.MAX_BYTES),
                put("queue.limit", "/ojs/v1/admin/queues/{name}/rate-limit", ADMIN, queues::limit)
                        .upTo(ConfigBody.MAX_BYTES),
                get("rate_limit.explain", "/ojs/v1/rate-limits/{key}/explain", server::limit),
                get("system.explain", "/ojs/v1/admin/explain", server::system),
                get("worker.explain", "/ojs/v1/admin/workers/{id}/explain", server.worker(workerAdmin, parts.events())),
                get("job.list", "/ojs/v1/jobs", jobAdmin::publicList).ofJobs(),
                patch("job.prioritize", "/ojs/v1/jobs/{id}", PRODUCE, jobAdmin::publicPrioritize)
                        .ofJobs(),
                get("job.history", "/ojs/v1/jobs/{id}/history", jobs::history).ofJobs(),
                put("job.report_progress", "/ojs/v1/jobs/{id}/progress", CONSUME, progress::report)
                        .ofJobs()
                        .upTo(JobProgress.MAX_BODY)
                        .completing(),
                post("worker.progress", "/ojs/v1/workers/progress", CONSUME, progress::reportByWorker)
                        .ofJobs()
                        .upTo(JobProgress.MAX_BODY)
                        .completing(),
                get("job.progress", "/ojs/v1/jobs/{id}/progress", progress::show)
                        .ofJobs(),
                get("job.follow_progress", "/ojs/v1/jobs/{id}/progress/stream", progress::stream)
                        .ofJobs(),
                get("job.retries", "/ojs/v1/jobs/{id}/retries", jobAdmin::retries)
                        .ofJobs(),
                get("dead_letter.list", "/ojs/v1/dead-letter", dead::list).ofJobs(),
                get("dead_letter.stats", "/ojs/v1/dead-letter/stats", dead::stats)
                        .ofJobs(),
                get("dead_letter.get", "/ojs/v1/dead-letter/{id}", dead::one).ofJobs(),
                post("dead_letter.retry", "/ojs/v1/dead-letter/{id}/retry", ADMIN, dead::retry)
                        .ofJobs()
                        .upTo(EnvelopeReader.MAX_JOB_BYTES)
                        .bringingJobs(),
                delete("dead_letter.delete", "/ojs/v1/dead-letter/{id}", ADMIN, dead::delete)
                        .ofJobs(),
                get("event.list", "/ojs/v1/events", events::poll).ofQueues(),
                get("event.stream", "/ojs/v1/events/stream", events::stream).ofQueues(),
                get("event.of_job", "/ojs/v1/events/{id}/history", events::ofJob)
                        .ofQueues(),
                get("event.stream", "/ojs/v1/jobs/{id}/events", events::streamOfJob)
                        .ofQueues(),
                get("event.stream", "/ojs/v1/queues/{name}/events", events::streamOfQueue)
                        .ofQueue(),
                get("log.list", "/ojs/v1/admin/logs", logs::inspect),
                post(
                        "log.acknowledge_alarm",
                        "/ojs/v1/admin/logs/{partition}/alarms/{code}/acknowledge",
                        ADMIN,
                        logs::acknowledge),
                get("set_aside.list", "/ojs/v1/admin/set-aside", logs::quarantine),
                post("set_aside.retry", "/ojs/v1/admin/set-aside/{id}/retry", ADMIN, logs::retry),
                delete("set_aside.delete", "/ojs/v1/admin/set-aside/{id}", ADMIN, logs::discard),
                get("system.manifest", "/ojs/manifest", system::manifest).forEveryone(),
                get("system.health", "/ojs/v1/health", system::health).forEveryone(),
                get("system.health", "/health", system::health).forEveryone(),
                get("system.ready", "/ready", system::ready).forEveryone(),
                get("system.metrics", "/metrics", system::metrics),
                get("system.metrics", "/ojs/v1/metrics", system::metrics),
                get("system.overload", "/ojs/v1/admin/system/overload", system::overload)));
        var rows = new QueueRows(parts.table());
        var tenants = new TenantAdministration(partitions, queues, parts.table(), parts.events(), parts.clock());
        routes.addAll(TenantRoutes.of(tenants, server.tenant(tenants)));
        routes.addAll(AdminRoutes.of(config, client, parts, queues, rows, dead, workerAdmin));
        var problems =
                new ServerProblems(server, workerAdmin, limits, tenants, parts.events(), parts.clock(), parts.nanos());
        routes.addAll(CheckpointRoutes.of(new Checkpoints(partitions)));
        routes.addAll(WorkerRoutes.of(workers));
        routes.addAll(PoolRoutes.of(
                new PoolOperations(partitions), new SchedulingStats(parts.dispatches(), parts.table(), parts.clock())));
        routes.addAll(SchemaRoutes.of(new SchemaOperations(
                partitions,
                parts.schemas(),
                new SubjectRegistry(config.access().services().schemas()))));
        var watch = new SourceWatch(partitions, sources, parts.clock());
        parts.metrics().showSources(watch::lately);
        var ofSources = new SourceOperations(partitions, sources, watch);
        var whySource = new SourceExplainer(ofSources, watch, parts.table(), budget, parts.clock());
        routes.addAll(SourceRoutes.of(ofSources, partitions, sources));
        routes.add(get("source.explain", "/ojs/v1/admin/sources/{name}/explain", whySource::explain));
        routes.addAll(WebhookRoutes.of(partitions, config.webhooks(), jobs, parts.ids(), parts.clock()));
        var crons = new CronOperations(partitions, schemas, parts.clock());
        routes.addAll(CronRoutes.of(crons));
        var whySchedules = new ScheduleExplanations(crons, client.routing(), budget, parts.clock());
        routes.add(get("cron.explain", "/ojs/v1/cron/{name}/explain", whySchedules::explain)
                .ofJobs());
        routes.addAll(LimitRoutes.of(limits));
        routes.addAll(UniqueKeyRoutes.of(new UniqueKeyOperations(partitions)));
        var workflows = new WorkflowOperations(partitions, parts.ids(), parts.doors(), parts.overload(), schemas, ends);
        var whyWorkflow = new WorkflowExplanations(partitions, workflows, explain, budget, parts.clock());
        routes.addAll(WorkflowRoutes.of(partitions, workflows, whyWorkflow::explain));
        var failing = new TroubledSubscriptions(partitions);
        var planned = new PlannedProblems(
                crons, workflows, failing, new TroubledSinks(partitions), whySource, parts.clock(), parts.nanos());
        var overview = new Overview(rows, explain, problems, planned, parts.clock(), parts.nanos());
        routes.addAll(ConsoleRoutes.of(
                overview, parts.clock(), config.access().services().codecServer()));
        if (config.testMode()) {
            var reset = new ResetOperation(partitions, parts.table(), parts.events(), parts.schemas());
            routes.add(post("system.reset", "/ojs/v1/admin/reset", ADMIN, reset::reset));
        }
        return OpenApi.describing(routes, Manifest.version());
    }
}
