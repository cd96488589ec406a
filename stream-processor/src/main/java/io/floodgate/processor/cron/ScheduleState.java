package io.floodgate.processor.cron;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a schedule that changes with each run: small, since it is written as often. */
final class ScheduleState {
    private static final int VERSION = 2;

    /** Its history was one entry. */
    private static final int WITH_ONE_ENTRY = 1;

    private static final int FAILS = 3;

    /** Counts the changes by operators. */
    long version = 1;

    /** Number of the plan of times at which it is due. */
    long generation = 1;

    boolean enabled = true;
    final Instant createdAt;

    /** The client that has registered it: its jobs come in that name. */
    @Nullable
    Identity by;

    /** Time from which an interval counts. */
    Instant anchor;

    /** Everything that was due until then has its outcome. It never goes back. */
    Instant consumed;

    /** The last time that is known. */
    Instant planEnd;

    String tzdata = "";

    /** Too little is known of what comes. */
    boolean wantsPlan;

    /** Time at which it is looked at next; null if nothing is due. */
    @Nullable
    Instant wakeAt;

    @Nullable
    Instant pausedSince;

    /** Time at which it was deleted: from then on only its runs and its history are remembered. */
    @Nullable
    Instant deletedAt;

    long runs;
    long skips;

    @Nullable
    Instant lastRunAt;

    @Nullable
    JobId lastJob;

    @Nullable
    Instant lastSuccessAt;

    /** Runs in a row, up to now, that have ended without success. */
    long failures;

    /** Number of its occurrences that have an outcome, and so that of the last one. */
    long outcomes;

    /** True if its history is still in one entry, as an earlier release has left it. */
    boolean hasOldHistory;

    /** Runs that have not ended. */
    final List<ScheduledRun> unfinished = new ArrayList<>();

    ScheduleState(Instant createdAt) {
        this.createdAt = createdAt;
        anchor = createdAt;
        consumed = createdAt;
        planEnd = createdAt;
    }

    /** @param until remembered until then, by the time of the partition */
    void delete(Instant now, Instant until) {
        wakeAt = until;
        enabled = false;
        wantsPlan = false;
        deletedAt = now;
    }

    /** Registered again after it was deleted: a name keeps its runs and its history. */
    ScheduleState again(Instant now) {
        ScheduleState again = new ScheduleState(now);
        again.generation = generation + 1;
        again.outcomes = outcomes;
        again.hasOldHistory = hasOldHistory;
        again.unfinished.addAll(unfinished);
        return again;
    }

    void consume(Instant until) {
        if (until.isAfter(consumed)) consumed = until;
    }

    /** Returns whether its last runs have all ended without success. */
    boolean fails() {
        return enabled && deletedAt == null && failures >= FAILS;
    }

    @Nullable
    ScheduledRun find(JobId job) {
        for (ScheduledRun run : unfinished) if (run.job().equals(job)) return run;
        return null;
    }

    void replace(ScheduledRun run, ScheduledRun by) {
        unfinished.set(unfinished.indexOf(run), by);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .number(version)
                .number(generation)
                .flag(enabled)
                .time(createdAt)
                .optional(Identity.written(by))
                .time(anchor)
                .time(consumed)
                .time(planEnd)
                .text(tzdata)
                .flag(wantsPlan)
                .optional(wakeAt)
                .optional(pausedSince)
                .optional(deletedAt)
                .number(runs)
                .number(skips)
                .optional(lastRunAt)
                .optional(lastJob == null ? null : lastJob.toString())
                .optional(lastSuccessAt)
                .number(failures)
                .number(unfinished.size());
        unfinished.forEach(run -> run.write(out));
        out.number(outcomes).flag(hasOldHistory);
        unfinished.forEach(run -> out.number(run.outcome()));
        return out.toBytes();
    }

    static ScheduleState read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        int form = in.version(VERSION, () -> "a schedule");
        long version = in.number();
        long generation = in.number();
        boolean enabled = in.flag();
        ScheduleState state = new ScheduleState(in.time());
        state.version = version;
        state.generation = generation;
        state.enabled = enabled;
        state.by = Identity.stored(in.optionalText());
        state.anchor = in.time();
        state.consumed = in.time();
        state.planEnd = in.time();
        state.tzdata = in.text();
        state.wantsPlan = in.flag();
        state.wakeAt = in.optionalTime();
        state.pausedSince = in.optionalTime();
        state.deletedAt = in.optionalTime();
        state.runs = in.number();
        state.skips = in.number();
        state.lastRunAt = in.optionalTime();
        String job = in.optionalText();
        state.lastJob = job == null ? null : JobId.parse(job).orElseThrow();
        state.lastSuccessAt = in.optionalTime();
        state.failures = in.number();
        for (int left = in.integer(); left > 0; left--) state.unfinished.add(ScheduledRun.read(in));
        if (form == WITH_ONE_ENTRY) {
            state.hasOldHistory = true;
            return state;
        }
        state.outcomes = in.number();
        state.hasOldHistory = in.flag();
        state.unfinished.replaceAll(run -> run.numbered(in.number()));
        return state;
    }
}
