package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.own.OwnerKind;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs of schedules: each occurrence is run or skipped, for a reason, once; and what becomes of the jobs. */
final class ScheduleRuns implements OwnerKind {
    static final String KIND = "schedule";

    /** Runs that wait for each other without a warning (OJS cron §6.1). */
    private static final int QUEUED_UNNOTICED = 2;

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleRuns.class);

    /** More of one schedule are not remembered, so that no more of them are made. */
    private static final int MOST_UNFINISHED = 1_000;

    /** Bytes of a job beside its template: its id, the schedule's name and three times. */
    private static final int BYTES_BESIDE = 256 + ScheduleSpec.MOST_NAME_CHARS;

    private final ScheduleStore store;
    private final OwnJobs jobs;
    private final ScheduleEvents events;
    private final Routing routing;
    private final Effects out;

    ScheduleRuns(ScheduleStore store, OwnJobs jobs, Routing routing, Effects out) {
        this.store = store;
        this.jobs = jobs;
        this.routing = routing;
        this.out = out;
        events = new ScheduleEvents(out);
        jobs.add(this);
    }

    @Override
    public String kind() {
        return KIND;
    }

    /** Runs a schedule that is due, or skips it because an earlier run is not finished. */
    void run(String name, ScheduleSpec spec, ScheduleState state, Instant occurrence, @Nullable Instant next) {
        OverlapPolicy overlap = spec.rules().overlap();
        // mutant: overlap-skip
        if (overlap == OverlapPolicy.SKIP && !state.unfinished.isEmpty()) {
            skip(name, spec, state, occurrence, "overlap_skip", 1);
            return;
        }
        if (state.unfinished.size() >= MOST_UNFINISHED) {
            skip(name, spec, state, occurrence, "too_many_unfinished", 1);
            return;
        }
        JobId id = makeId(name, spec.job().queue(), state, occurrence, 0);
        if (overlap == OverlapPolicy.CANCEL_PREVIOUS) cancel(name, state, id);
        Duration period = next == null ? RunRules.MOST_WAIT : Duration.between(occurrence, next);
        start(name, spec, state, new ScheduledRun(id, occurrence, false, null), period, state.by);
    }

    /** Runs a schedule by hand, for a time of the past: like any other run but for what it counts as. */
    void backfill(String name, ScheduleSpec spec, ScheduleState state, Instant occurrence, JsonOut reply) {
        OverlapPolicy overlap = spec.rules().overlap();
        ScheduledRun before = state.unfinished.isEmpty() ? null : state.unfinished.getLast();
        boolean isFull = state.unfinished.size() >= MOST_UNFINISHED;
        if (isFull || (before != null && overlap == OverlapPolicy.SKIP)) {
            String reason = isFull ? "too_many_unfinished" : "overlap_skip";
            OccurrenceOutcome skipped = OccurrenceOutcome.skipped(occurrence, out.wallTime(), true, reason, 1);
            skip(name, spec, state, skipped, before == null ? null : before.job());
            reply.beginObject()
                    .field("scheduled_at", occurrence)
                    .field("reason", reason)
                    .endObject();
            return;
        }
        JobId id = makeId(name, spec.job().queue(), state, occurrence, out.nextNumber());
        if (overlap == OverlapPolicy.CANCEL_PREVIOUS) cancel(name, state, id);
        ScheduledRun run = new ScheduledRun(id, occurrence, true, null);
        start(name, spec, state, run, RunRules.MOST_WAIT, out.by());
        reply.beginObject()
                .field("scheduled_at", occurrence)
                .field("job_id", id.toString())
                .endObject();
    }

    /** Runs a schedule by hand. The job's queue answers. */
    @Nullable
    Rejection runNow(String name, ScheduleSpec spec, ScheduleState state, boolean force) {
        ScheduledRun before = state.unfinished.isEmpty() ? null : state.unfinished.getLast();
        if (before != null && !force && spec.rules().overlap() == OverlapPolicy.SKIP)
            return Rejection.of(
                            ErrorCode.CONFLICT,
                            "Schedule '%s' is running: job '%s' has not ended.".formatted(name, before.job()))
                    .with("active_job_id", before.job().toString());
        if (state.unfinished.size() >= MOST_UNFINISHED)
            return Rejection.of(
                    ErrorCode.CONFLICT, "Schedule '%s' has %d unfinished runs.".formatted(name, MOST_UNFINISHED));
        Instant now = out.wallTime();
        JobId id = makeId(name, spec.job().queue(), state, now, out.nextNumber());
        if (spec.rules().overlap() == OverlapPolicy.CANCEL_PREVIOUS) cancel(name, state, id);
        ScheduledRun run = new ScheduledRun(id, now, true, out.takeReplyTo());
        start(name, spec, state, run, RunRules.MOST_WAIT, out.by());
        return null;
    }

    private JobId makeId(String name, String queue, ScheduleState state, Instant occurrence, long number) {
        long chance = OwnJobs.mix(
                "%s %s %d %d".formatted(name, state.createdAt, occurrence.toEpochMilli(), state.generation));
        return OwnJobs.makeId(queue, out.now(), number == 0 ? chance : chance ^ OwnJobs.mix("" + number));
    }

    private JobOwner owner(String name, ScheduledRun run) {
        return jobs.owner(this, name, Long.toString(run.occurrence().toEpochMilli()), false);
    }

    private void cancel(String name, ScheduleState state, JobId by) {
        cancelHeld(name, state);
        for (ScheduledRun run : state.unfinished) jobs.cancel(owner(name, run), run.job(), by);
    }

    /** Cancels runs that have no job yet. */
    void cancelHeld(String name, ScheduleState state) {
        for (ScheduledRun run : List.copyOf(state.unfinished))
            if (run.held())
                rejected(name, state, run, Rejection.of(ErrorCode.CONFLICT, "The run was cancelled before it began."));
    }

    /** Puts its job into the queue, or with {@code enqueue} keeps it until the runs before it have ended, their retries included. */
    private void start(
            String name,
            ScheduleSpec spec,
            ScheduleState state,
            ScheduledRun run,
            Duration period,
            @Nullable Identity by) {
        // mutant: enqueue-holds
        if (spec.rules().overlap() == OverlapPolicy.ENQUEUE && !state.unfinished.isEmpty()) {
            state.unfinished.add(answered(name, run.heldBack(), false));
            warnOfQueued(name, state);
            return;
        }
        state.unfinished.add(run);
        place(name, spec, run, period, by);
    }

    /** A run has ended. */
    private void release(String name, ScheduleState state) {
        if (state.unfinished.isEmpty() || !state.unfinished.stream().allMatch(ScheduledRun::held)) return;
        ScheduledRun next = state.unfinished.getFirst();
        state.replace(next, next.released());
        place(name, store.spec(name), next, RunRules.MOST_WAIT, state.by);
    }

    private void place(String name, ScheduleSpec spec, ScheduledRun run, Duration period, @Nullable Identity by) {
        byte[] envelope = spec.job().envelope();
        byte[] meta = spec.job().meta();
        byte[] job = JsonOut.object(envelope.length + meta.length + BYTES_BESIDE)
                .field("id", run.job().toString())
                .members(envelope)
                .beginObject("meta")
                .members(meta)
                .field("cron_name", name)
                .field("cron_triggered_at", out.wallTime())
                .field("cron_scheduled_at", run.occurrence())
                .endObject()
                .endObject()
                .toBytes();
        Duration wait = spec.rules().maxWait();
        Duration most = period.compareTo(RunRules.MOST_WAIT) < 0 ? period : RunRules.MOST_WAIT;
        PlaceOwn message = wait == null
                ? PlaceOwn.asQueueSays(owner(name, run), run.job(), job, most)
                : PlaceOwn.orWait(owner(name, run), run.job(), job, wait);
        out.as(by, () -> jobs.place(spec.job().queue(), message));
    }

    void skip(String name, ScheduleSpec spec, ScheduleState state, Instant occurrence, String reason, int count) {
        ScheduledRun before = state.unfinished.isEmpty() ? null : state.unfinished.getLast();
        skip(
                name,
                spec,
                state,
                OccurrenceOutcome.skipped(occurrence, out.wallTime(), false, reason, count),
                before != null && reason.equals("overlap_skip") ? before.job() : null);
    }

    private void skip(
            String name, ScheduleSpec spec, ScheduleState state, OccurrenceOutcome outcome, @Nullable JobId existing) {
        state.skips += outcome.count();
        store.history().add(name, state, outcome);
        events.skipped(name, spec, outcome, existing);
    }

    @Override
    public void placed(PlacedOwn answer) {
        String name = answer.owner().name();
        ScheduleState state = store.state(name);
        ScheduledRun run = state == null ? null : state.find(answer.job());
        if (state == null || run == null) return;
        Rejection rejection = answer.rejection();
        if (rejection != null) {
            rejected(name, state, run, rejection);
            release(name, state);
        } else if (answer.waits()) {
            state.replace(run, answered(name, run, true));
        } else {
            triggered(name, state, run);
        }
        store.put(name, state);
    }

    private void triggered(String name, ScheduleState state, ScheduledRun run) {
        if (run.placed()) return;
        ScheduleSpec spec = store.spec(name);
        long outcome = store.history().add(name, state, OccurrenceOutcome.triggered(run, out.wallTime()));
        state.replace(run, answered(name, run, false).placedNow(outcome));
        state.runs++;
        state.lastRunAt = out.wallTime();
        state.lastJob = run.job();
        events.triggered(name, spec, state, run);
    }

    /** Warns once, when too many runs wait for one that is at work. */
    private static void warnOfQueued(String name, ScheduleState state) {
        int queued = state.unfinished.size() - 1;
        if (queued == QUEUED_UNNOTICED + 1)
            LOG.warn(
                    "Schedule '{}' runs one job at a time, and {} jobs wait for the one before. Make its runs shorter, or run"
                            + " it less often: ./floodgate why schedule {}",
                    name,
                    queued,
                    name);
    }

    private void rejected(String name, ScheduleState state, ScheduledRun run, Rejection why) {
        state.unfinished.remove(run);
        ReplyTo waiting = run.replyTo();
        if (waiting != null) out.replyTo(waiting, new Reply.Rejected(why));
        skip(
                name,
                store.spec(name),
                state,
                OccurrenceOutcome.skipped(run.occurrence(), out.wallTime(), run.manual(), reason(why), 1),
                null);
    }

    private ScheduledRun answered(String name, ScheduledRun run, boolean waits) {
        ReplyTo waiting = run.replyTo();
        if (waiting != null)
            out.replyTo(
                    waiting,
                    new Reply.Done(JsonOut.object()
                            .field("job_id", run.job().toString())
                            .field("name", name)
                            .field("waits_for_room", waits)
                            .field("waits_for_run", run.held())
                            .endObject()
                            .toBytes()));
        return run.answered();
    }

    private static String reason(Rejection why) {
        return switch (why.code()) {
            case QUEUE_FULL, BATCH_EXCEEDS_BOUND, TENANT_LIMIT_EXCEEDED -> "queue_full";
            case QUEUE_DRAINING -> "queue_draining";
            case JOB_TYPE_NOT_ALLOWED -> "type_not_allowed";
            case PERMISSION_DENIED -> "producer_not_allowed";
            case CONFLICT -> "cancelled";
            default -> why.code().wire().toLowerCase(Locale.ROOT);
        };
    }

    @Override
    public void told(OwnerNote note) {
        String name = note.owner().name();
        ScheduleState state = store.state(name);
        ScheduledRun run = state == null ? null : state.find(note.job());
        // One that is retried by hand after its end is not a run of the schedule any more.
        if (state == null || run == null || !note.isOver()) return;
        if (!run.placed() && note.gone()) {
            rejected(name, state, run, Rejection.of(ErrorCode.INTERNAL_ERROR, "The job was lost on its way."));
        } else {
            triggered(name, state, run);
            store.history().ended(name, state, note.job(), note.state(), out.wallTime());
            state.unfinished.removeIf(each -> each.job().equals(note.job()));
            boolean isDone = !note.gone() && note.state() == JobState.COMPLETED;
            if (isDone) state.lastSuccessAt = out.wallTime();
            state.failures = isDone ? 0 : state.failures + 1;
        }
        release(name, state);
        store.put(name, state);
    }

    /** Asks again for all that are believed to be there. */
    @Override
    public void verify(PartitionId other) {
        for (String name : store.names(null)) {
            ScheduleState state = store.state(name);
            if (state == null) continue;
            for (ScheduledRun run : state.unfinished)
                if (!run.held() && routing.ofJob(run.job()).equals(other)) jobs.ask(owner(name, run), run.job());
        }
    }
}
