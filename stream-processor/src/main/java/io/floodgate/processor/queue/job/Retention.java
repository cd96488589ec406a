package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.JobChange.Outlived;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Removes finished jobs when their time has come, a slice at a time. */
public final class Retention implements Entity {
    private static final int SLICE = 100;
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final KeyValues index;
    private final Jobs jobs;
    private final FinishedJobs finished;
    private final Housekeeping housekeeping;
    private final Undo undo;
    private final Effects out;
    /** Everything before is removed: a scan that began further left would pass over what is left of it. */
    private long doneUntil;

    public Retention(Jobs jobs, FinishedJobs finished, Housekeeping housekeeping, PartitionContext context) {
        this.index = context.stores().jobs();
        this.jobs = jobs;
        this.finished = finished;
        this.housekeeping = housekeeping;
        housekeeping.register(this::slice);
        this.undo = context.undo();
        this.out = context.out();
    }

    @Override
    public void load() {
        doneUntil = 0;
    }

    /** One slice; the next follows soon while there is more to remove. */
    private void slice() {
        List<byte[]> due = new ArrayList<>();
        List<Long> next = new ArrayList<>();
        index.scan(Keys.pruneFrom(doneUntil), Keys.pruneFrom(Long.MAX_VALUE), (key, value) -> {
            boolean ripe = Keys.pruneTime(key) <= out.now().toEpochMilli() && due.size() < SLICE;
            if (!ripe) next.add(Keys.pruneTime(key));
            else due.add(key);
            return ripe;
        });
        due.forEach(this::remove);
        out.aboutNothing();
        if (!due.isEmpty()) doneUntil(Keys.pruneTime(due.getLast()));
        if (!next.isEmpty()) housekeeping.wantBy(after(next.getFirst()));
    }

    /** Removes the jobs that this step has pushed out of queues that keep a number of them. */
    public void pushOut() {
        for (JobId id : finished.counted().takeTooMany()) {
            if (jobs.orders().isAside(id)) continue;
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.find(id);
            if (job != null && !job.isLive()) jobs.apply(new Outlived(), job);
        }
        out.aboutNothing();
    }

    private void doneUntil(long time) {
        long before = doneUntil;
        doneUntil = time;
        undo.by(() -> doneUntil = before);
    }

    private void remove(byte[] key) {
        index.delete(key);
        JobId id = Keys.jobAtEnd(key);
        if (jobs.orders().isAside(id)) return;
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        // Taken back by a manual retry since, or finished again: then a later entry speaks for it.
        if (job == null || job.isLive() || job.endedAt == null) return;
        // On its way; should it stay, that is noted again.
        if (job.movingTo != null) return;
        if (finished.keptUntil(job).isAfter(out.now())) finished.add(job);
        else jobs.apply(new Outlived(), job);
    }

    /** The rest of a long slice soon, but not in the same breath; otherwise not more than once a minute. */
    private Instant after(long first) {
        Instant wanted = Instant.ofEpochMilli(first);
        Instant soonest =
                wanted.isAfter(out.now()) ? out.now().plus(PAUSE) : out.now().plusMillis(10);
        return wanted.isAfter(soonest) ? wanted : soonest;
    }
}
