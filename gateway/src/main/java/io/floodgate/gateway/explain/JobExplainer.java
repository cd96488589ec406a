package io.floodgate.gateway.explain;

import io.floodgate.gateway.explain.Explanation.Subject;
import io.floodgate.topics.job.WaitReason;
import io.floodgate.topics.json.WireName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why a job does not run, by whom it is run, or how it ended. */
final class JobExplainer {
    static final String RUN = "[worker '{worker_id}'|a worker without a name] (attempt {attempt} of {max_attempts})";
    static final String POSITION = "[{waiting.position?}[, with {ahead:job} before it| as the first in line]]";

    private static final Set<String> CAN_BE_SKIPPED = Set.of("retryable", "scheduled", "pending");

    private final JobStanding job;
    private final FindingFacts facts;

    private JobExplainer(JobStanding job) {
        this.job = job;
        facts = FindingFacts.of(job.job(), job.now())
                .with("job_id", job.id())
                .with("last_error", job.shownError())
                .with("ahead", job.job().inside("waiting").number("position") - 1)
                .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds());
    }

    static Explanation explain(JobStanding job) {
        return new Explanation(
                new Subject("job", job.id()),
                job.now(),
                true,
                String.valueOf(job.queue().facts().text("partition")),
                List.of(new JobExplainer(job).finding()),
                job.job().pick("type queue state priority attempt max_attempts enqueued_at started_at"),
                new Evidence(),
                job.state().equals("active") && job.worker() == null ? List.of("worker") : List.of());
    }

    static Explanation silent(String id, Instant now, Silence silence) {
        return new Explanation(
                new Subject("job", id),
                now,
                false,
                silence.partition().toString(),
                List.of(JobCode.PARTITION_SILENT.finding(silence.facts(id, now))),
                new Evidence(),
                new Evidence(),
                silence.notKnown("job"));
    }

    /** @param lastEvent that this gateway has kept of the job, in words; empty if none */
    static Explanation unknown(String id, Instant now, String from, String lastEvent) {
        FindingFacts known = FindingFacts.named(id, now).with("last_event", lastEvent);
        return Explanation.unknown(new Subject("job", id), JobCode.UNKNOWN_ID.finding(known), now, from);
    }

    private Finding finding() {
        return switch (job.state()) {
            case "completed" -> completed();
            case "cancelled" -> JobCode.CANCELLED.finding(facts.with("not_now", notNow()));
            case "discarded" -> discarded();
            default -> unfinished();
        };
    }

    private Finding completed() {
        Instant ended = job.job().time("completed_at");
        Instant started = job.job().time("started_at");
        return JobCode.COMPLETED.finding(
                facts.with("ran", ended == null || started == null ? null : Duration.between(started, ended)));
    }

    private Finding discarded() {
        JobCode code = switch (String.valueOf(job.errors().inside("error").text("type"))) {
            case "enqueue_ttl_expired" -> JobCode.EXPIRED;
            case "overflow" -> JobCode.OVERFLOW;
            case "rate_limited" -> JobCode.RATE_LIMIT_DROPPED;
            case "queue_deleted" -> JobCode.QUEUE_DELETED;
            case "worker_death" -> areAttemptsUsed() ? JobCode.ATTEMPTS_USED : JobCode.WORKER_LOST_ONCE;
            default -> areAttemptsUsed() ? JobCode.ATTEMPTS_USED : JobCode.NOT_RETRYABLE;
        };
        return code.finding(facts.with("not_now", notNow()));
    }

    private boolean areAttemptsUsed() {
        return job.job().number("attempt") >= job.job().number("max_attempts");
    }

    /** Why a retry would be rejected; null if it would not. */
    private @Nullable String notNow() {
        Instant end = job.job().time("expires_at");
        if (end != null && !end.isAfter(job.now())) return "its time to live is over";
        return job.queue().isFull() ? "its queue is full" : null;
    }

    private Finding unfinished() {
        // A processor that is newer may have more reasons.
        String reason = String.valueOf(job.job().inside("waiting").text("reason"));
        return switch (WireName.parse(WaitReason.class, reason).orElse(WaitReason.IN_LINE)) {
            case SET_ASIDE -> JobCode.SET_ASIDE.finding(facts);
            case RUNNING -> running();
            case SCHEDULED -> JobCode.SCHEDULED.finding(facts);
            case RETRY -> JobCode.RETRY.finding(facts);
            case NOT_ACTIVATED -> notActivated();
            case MAKING_ROOM -> JobCode.MAKING_ROOM.finding(facts);
            case MAINTENANCE -> ofQueue(JobCode.MAINTENANCE, job.queue().facts().flag("maintenance"));
            case QUEUE_PAUSED ->
                ofQueue(
                        JobCode.QUEUE_PAUSED,
                        job.queue().isPaused() && !job.queue().isDraining());
            case BEHIND_KEY -> behindKey();
            case NOBODY_FETCHES -> JobCode.NOBODY_FETCHES.finding(facts);
            case RATE_LIMITED -> limited();
            case TENANT_AT_CONCURRENCY -> JobCode.TENANT_AT_CONCURRENCY.finding(facts);
            case TYPE_NOT_FETCHED -> JobCode.TYPE_NOT_FETCHED.finding(facts);
            case VERSION_NOT_ACCEPTED -> JobCode.VERSION_NOT_ACCEPTED.finding(facts);
            case TENANT_NOT_FETCHED -> JobCode.TENANT_NOT_FETCHED.finding(facts);
            case STARVED -> JobCode.STARVED.finding(facts);
            case WORKERS_BUSY -> busy();
            case IN_LINE -> JobCode.IN_LINE.finding(facts);
        };
    }

    /** @param isSo whether the queue, which was asked later, still says so */
    private Finding ofQueue(JobCode code, boolean isSo) {
        return isSo ? code.finding(job.queue().values().with("job_id", job.id())) : JobCode.IN_LINE.finding(facts);
    }

    private Finding running() {
        Facts progress = job.job().inside("progress");
        Duration ran = job.since("started_at");
        FindingFacts run = facts.with("ran", ran)
                .with("share_done", progress.has("progress") ? Words.percent(progress.decimal("progress")) : null);
        Instant beat = job.worker() == null ? null : job.worker().time("last_heartbeat_at");
        if (beat != null && beat.plus(Thresholds.WORKER_SILENT).isBefore(job.now()))
            return JobCode.SILENT_WORKER.finding(run.with("last_heartbeat_at", beat));
        Duration average = Duration.ofMillis(job.queue().averageRunMillis());
        boolean isLong = !average.isZero()
                && ran.compareTo(Thresholds.STUCK_MIN) > 0
                && ran.compareTo(average.multipliedBy(Thresholds.STUCK_TIMES)) > 0;
        if (!isLong) return JobCode.RUNNING.finding(run);
        return JobCode.LONG_RUN.finding(run.with("average", average).with("avg_duration_ms", average.toMillis()));
    }

    private Finding notActivated() {
        Duration waited = job.since("enqueued_at");
        boolean isLong = waited.compareTo(Thresholds.PENDING_LONG) >= 0;
        return JobCode.NOT_ACTIVATED.finding(isLong ? Severity.WARNING : Severity.INFO, facts.with("waited", waited));
    }

    private Finding behindKey() {
        Facts waiting = job.job().inside("waiting");
        String state = String.valueOf(waiting.text("holder_state"));
        String attempt = "(attempt {waiting.holder_attempt} of {waiting.holder_max_attempts})";
        String holder = switch (state) {
            case "active" -> "runs " + attempt;
            case "retryable" -> "has failed " + attempt + " and is tried again[ in {waiting.until:in}]";
            case "scheduled" -> "is scheduled[ for {waiting.until}, in {waiting.until:in}]";
            case "pending" -> "has not been activated";
            case "set_aside" -> "is quarantined";
            default -> "is the next to start";
        };
        Severity severity =
                state.equals("set_aside") ? Severity.PROBLEM : hasWaitedLong() ? Severity.WARNING : Severity.INFO;
        return JobCode.BEHIND_KEY.finding(
                severity,
                facts.with("holder", Template.fill(holder, facts)).with("can_skip", CAN_BE_SKIPPED.contains(state)));
    }

    private boolean hasWaitedLong() {
        return job.since("enqueued_at").compareTo(Thresholds.WAITS_LONG) >= 0;
    }

    private Finding limited() {
        Facts held = job.job().inside("limited_by");
        boolean isLong = LimitWords.isStopped(held) || (held.time("until") == null && hasWaitedLong());
        return JobCode.RATE_LIMITED.finding(
                isLong ? Severity.PROBLEM : Severity.INFO,
                facts.with("held", LimitWords.held(held, job.now())).with("limit", held.pick(LimitWords.EVIDENCE)));
    }

    /** With an estimate by the rate at which the queue drains; without one where jobs with a higher priority may keep coming. */
    private Finding busy() {
        Facts waiting = job.job().inside("waiting");
        long position = waiting.number("position");
        double leaves = job.queue().leaves();
        if (position == 0 || leaves <= 0 || waiting.number("ahead_higher_priority") > 0)
            return JobCode.WORKERS_BUSY.finding(facts);
        double seconds = position / leaves;
        Evidence range = new Evidence()
                .with("from_seconds", (long) Math.floor(seconds / 2))
                .with("to_seconds", (long) Math.ceil(2 * seconds))
                .with("by", "what has left its queue in 5 to 10 min");
        return JobCode.WORKERS_BUSY.finding(
                facts.with("estimate", Words.seconds(seconds)).with("starts_in", range));
    }
}
