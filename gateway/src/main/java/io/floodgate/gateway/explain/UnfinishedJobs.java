package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Advice.Action;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a job that has not ended waits for, or who runs it. */
final class UnfinishedJobs {
    private static final String NOT_RUN = "docs/how-to/runbooks/job-does-not-run.md";
    private static final String VERSIONS = "docs/how-to/deploy-new-arguments.md";

    private UnfinishedJobs() {}

    static Finding of(JobStanding job) {
        return switch (job.reason()) {
            case "set_aside" ->
                Finding.of(
                        JobCode.SET_ASIDE,
                        Severity.PROBLEM,
                        null,
                        "Job %s is quarantined".formatted(job.id()),
                        "Processing it failed in Floodgate itself, so it is left alone until an operator decides.",
                        new Evidence(),
                        Advice.read("See GET /ojs/v1/admin/set-aside.", "docs/how-to/runbooks/quarantined-records.md"));
            case "running" -> running(job);
            case "scheduled" -> scheduled(job);
            case "retry" -> retry(job);
            case "not_activated" -> notActivated(job);
            case "making_room" ->
                Finding.of(
                        JobCode.MAKING_ROOM,
                        Severity.INFO,
                        null,
                        "Job %s is about to make room for a batch".formatted(job.id()),
                        "It is dropped if the batch is stored, and runs otherwise. That is decided within a minute.",
                        new Evidence());
            case "maintenance" -> maintenance(job);
            case "queue_paused" -> paused(job);
            case "nobody_fetches" -> nobodyFetches(job);
            case "rate_limited" -> limited(job);
            case "type_not_fetched" -> typeNotFetched(job);
            case "version_not_accepted" -> versionNotAccepted(job);
            case "tenant_not_fetched" -> tenantNotFetched(job);
            case "starved" -> starved(job);
            case "workers_busy" -> busy(job);
            default -> inLine(job);
        };
    }

    private static Advice cancel(JobStanding job, String text) {
        return Advice.of(text, new Action("job.cancel", "DELETE", job.path(), null, Action.CHANGE));
    }

    private static Finding running(JobStanding job) {
        Facts facts = job.job();
        Instant started = facts.time("started_at");
        String worker = facts.text("worker_id");
        String at = worker == null ? "a worker without a name" : "worker '%s'".formatted(worker);
        Duration ran = job.since("started_at");
        Evidence evidence = new Evidence()
                .with("worker_id", worker)
                .with("started_at", started)
                .with("lease_expires_at", facts.time("lease_expires_at"))
                .with("progress", progress(facts.inside("progress")));
        Facts registry = job.worker();
        Instant beat = registry == null ? null : registry.time("last_heartbeat_at");
        if (registry != null
                && beat != null
                && beat.plus(Thresholds.WORKER_SILENT).isBefore(job.now())) {
            Duration silent = Duration.between(beat, job.now());
            return Finding.of(
                    JobCode.SILENT_WORKER,
                    Severity.PROBLEM,
                    beat,
                    "Job %s is at %s, which has been silent for %s".formatted(job.id(), at, Words.duration(silent)),
                    "After 30 s without a heartbeat the worker counts as lost, and the job is given to another one.",
                    evidence.with("last_heartbeat_at", beat),
                    Advice.read("Look at the worker.", "docs/how-to/runbooks/worker-lost.md"));
        }
        Duration average = Duration.ofMillis(job.queue().averageRunMillis());
        boolean isLong = !average.isZero()
                && ran.compareTo(Thresholds.STUCK_MIN) > 0
                && ran.compareTo(average.multipliedBy(Thresholds.STUCK_TIMES)) > 0;
        String title = "Job %s has run for %s at %s (%s)".formatted(job.id(), Words.duration(ran), at, job.attempts());
        if (!isLong) return Finding.of(JobCode.RUNNING, Severity.OK, started, title, "", evidence);
        return Finding.of(
                JobCode.LONG_RUN,
                Severity.WARNING,
                started,
                title,
                "Runs of queue '%s' take %s on average.".formatted(facts.text("queue"), Words.duration(average)),
                evidence.with("avg_duration_ms", average.toMillis()),
                Advice.read("Look at what the worker does.", NOT_RUN),
                cancel(job, "Or cancel the job; the worker learns it with its next heartbeat."));
    }

    private static @Nullable String progress(Facts progress) {
        return progress.has("progress") ? Words.percent(progress.decimal("progress")) : null;
    }

    private static Finding scheduled(JobStanding job) {
        Instant until = job.waiting().time("until");
        return Finding.of(
                JobCode.SCHEDULED,
                Severity.OK,
                null,
                "Job %s is scheduled for %s"
                        .formatted(job.id(), until == null ? "later" : Words.time(until, job.now())),
                until == null ? "" : "That is in %s.".formatted(Words.duration(Duration.between(job.now(), until))),
                new Evidence().with("until", until));
    }

    private static Finding retry(JobStanding job) {
        Instant until = job.waiting().time("until");
        String error = job.shownError();
        return Finding.of(
                JobCode.RETRY,
                Severity.INFO,
                null,
                "Job %s failed in %s and is tried again at %s"
                        .formatted(
                                job.id(),
                                job.attempts(),
                                until == null ? "a later time" : Words.time(until, job.now())),
                error.isEmpty() ? "" : "The last error: " + error,
                new Evidence().with("until", until).with("error", error.isEmpty() ? null : error),
                cancel(job, "If it cannot succeed, cancel it."));
    }

    private static Finding notActivated(JobStanding job) {
        boolean isLong = job.since("enqueued_at").compareTo(Thresholds.PENDING_LONG) >= 0;
        return Finding.of(
                JobCode.NOT_ACTIVATED,
                isLong ? Severity.WARNING : Severity.INFO,
                job.job().time("enqueued_at"),
                "Job %s has waited for %s to be activated"
                        .formatted(job.id(), Words.duration(job.since("enqueued_at"))),
                "It was enqueued as pending: it runs when its producer activates it.",
                new Evidence(),
                Advice.of(
                        "Activate it.",
                        new Action("job.activate", "POST", job.path() + "/activate", null, Action.CHANGE)));
    }

    private static Finding maintenance(JobStanding job) {
        Finding finding = StateFindings.maintenance(job.queue().facts(), job.now(), JobCode.MAINTENANCE);
        return finding == null ? inLine(job) : finding;
    }

    private static Finding paused(JobStanding job) {
        QueueStanding queue = job.queue();
        Finding finding = StateFindings.paused(queue);
        if (finding == null) return inLine(job);
        return Finding.of(
                JobCode.QUEUE_PAUSED,
                Severity.WARNING,
                finding.since(),
                "Job %s waits because queue '%s' is paused".formatted(job.id(), queue.name()),
                finding.text(),
                finding.evidence(),
                finding.advice().toArray(Advice[]::new));
    }

    private static Finding nobodyFetches(JobStanding job) {
        Instant last = job.waiting().time("last_fetched_at");
        String name = String.valueOf(job.job().text("queue"));
        return Finding.of(
                JobCode.NOBODY_FETCHES,
                Severity.PROBLEM,
                last,
                last == null
                        ? "No worker has ever fetched from queue '%s'".formatted(name)
                        : "No worker has fetched from queue '%s' for %s"
                                .formatted(name, job.queue().ago(last)),
                "Job %s waits%s.".formatted(job.id(), place(job)),
                new Evidence().with("last_fetched_at", last).with("position", position(job)),
                Advice.read("Start workers that fetch queue '%s'.".formatted(name), NOT_RUN));
    }

    private static @Nullable Object position(JobStanding job) {
        return job.waiting().optionalNumber("position");
    }

    private static String place(JobStanding job) {
        long position = job.waiting().number("position");
        if (position == 0) return "";
        return position == 1
                ? " as the first in line"
                : ", with %s before it".formatted(Words.count(position - 1, "job"));
    }

    private static Finding limited(JobStanding job) {
        Facts held = job.job().inside("limited_by");
        String key = String.valueOf(held.text("key"));
        Instant until = held.time("until");
        boolean hasWaited = job.since("enqueued_at").compareTo(Thresholds.WAITS_LONG) >= 0;
        boolean isLong = LimitWords.isStopped(held) || (until == null && hasWaited);
        return Finding.of(
                JobCode.RATE_LIMITED,
                isLong ? Severity.PROBLEM : Severity.INFO,
                job.job().time("enqueued_at"),
                "The rate limit '%s' holds back job %s".formatted(key, job.id()),
                "Key '%s': %s.".formatted(key, LimitWords.held(held, job.now())),
                LimitWords.evidence(held),
                Advice.read("See who holds it: ./floodgate why limit %s".formatted(key), "docs/reference/http-api.md"));
    }

    private static Finding typeNotFetched(JobStanding job) {
        return Finding.of(
                JobCode.TYPE_NOT_FETCHED,
                Severity.PROBLEM,
                job.job().time("enqueued_at"),
                "No worker asks for jobs of type '%s'".formatted(job.type()),
                "Workers fetch from queue '%s', but none has asked for this type for 2 min."
                        .formatted(job.job().text("queue")),
                new Evidence().with("type", job.type()).with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                Advice.read("Start workers that take jobs of type '%s'.".formatted(job.type()), NOT_RUN));
    }

    private static Finding versionNotAccepted(JobStanding job) {
        String version = String.valueOf(job.waiting().text("job_version"));
        return Finding.of(
                JobCode.VERSION_NOT_ACCEPTED,
                Severity.PROBLEM,
                job.job().time("enqueued_at"),
                "No worker accepts version %s of jobs of type '%s'".formatted(version, job.type()),
                "Workers fetch such jobs from queue '%s', but none has accepted this version for 2 min."
                        .formatted(job.job().text("queue")),
                new Evidence()
                        .with("type", job.type())
                        .with("version", version)
                        .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                Advice.read("Start workers that accept version %s.".formatted(version), VERSIONS));
    }

    private static Finding tenantNotFetched(JobStanding job) {
        String tenant = String.valueOf(job.waiting().text("tenant_id"));
        return Finding.of(
                JobCode.TENANT_NOT_FETCHED,
                Severity.PROBLEM,
                job.job().time("enqueued_at"),
                "No worker takes jobs of tenant '%s'".formatted(tenant),
                "Workers fetch such jobs from queue '%s' for tenants that they name, and none has named this one for 2 min."
                        .formatted(job.job().text("queue")),
                new Evidence().with("tenant", tenant).with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds()),
                Advice.read("Start workers for tenant '%s', or some that name no tenants.".formatted(tenant), NOT_RUN));
    }

    private static Finding starved(JobStanding job) {
        String name = String.valueOf(job.job().text("queue"));
        return Finding.of(
                JobCode.STARVED,
                Severity.WARNING,
                job.job().time("enqueued_at"),
                "Workers get jobs of other queues before they come to queue '%s'".formatted(name),
                "Job %s waits%s. Fetches name its queue, and queues that they name first had jobs."
                        .formatted(job.id(), place(job)),
                new Evidence().with("position", position(job)),
                Advice.read("Name queue '%s' earlier in the fetches of some workers.".formatted(name), NOT_RUN));
    }

    private static Finding busy(JobStanding job) {
        long higher = job.waiting().number("ahead_higher_priority");
        Evidence evidence = new Evidence()
                .with("position", position(job))
                .with("ahead_higher_priority", higher == 0 ? null : (Object) higher);
        String priority = higher == 0 ? "" : " %s of them with a higher priority.".formatted(Words.number(higher));
        return Finding.of(
                JobCode.WORKERS_BUSY,
                Severity.INFO,
                job.job().time("enqueued_at"),
                "Job %s waits%s".formatted(job.id(), place(job)),
                "The workers of queue '%s' are busy.%s%s"
                        .formatted(job.job().text("queue"), priority, estimate(job, higher, evidence)),
                evidence,
                Advice.say("Wait, or start more workers for its queue."));
    }

    /** By the rate at which the queue drains; none without one, or where jobs with a higher priority may keep coming. */
    private static String estimate(JobStanding job, long higher, Evidence evidence) {
        long position = job.waiting().number("position");
        double leaves = job.queue().leaves();
        if (position == 0 || leaves <= 0 || higher > 0) return "";
        double seconds = position / leaves;
        long from = (long) Math.floor(seconds / 2);
        long to = (long) Math.ceil(2 * seconds);
        evidence.with(
                "starts_in",
                new Evidence()
                        .with("from_seconds", from)
                        .with("to_seconds", to)
                        .with("by", "what has left its queue in 5 to 10 min"));
        return " At the present rate it starts in about %s.".formatted(Words.seconds(seconds));
    }

    private static Finding inLine(JobStanding job) {
        return Finding.of(
                JobCode.IN_LINE,
                Severity.OK,
                job.job().time("enqueued_at"),
                "Job %s waits%s".formatted(job.id(), place(job)),
                "Workers wait for jobs of queue '%s'.".formatted(job.job().text("queue")),
                new Evidence().with("position", position(job)));
    }
}
