package io.floodgate.processor.cron;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a schedule that changes with each run: small, since it is written as often. */
final class ScheduleState {
    static final StoredForm<ScheduleState> STORED = new StoredForm<>(ScheduleState.class, 1, "a schedule");
    private static final int FAILS = 3;

    final Instant createdAt;

    /** Counts the changes by operators. */
    long version = 1;

    /** Number of the plan of times at which it is due. */
    long generation = 1;

    boolean enabled = true;

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
}
