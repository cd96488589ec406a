package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Forgets finished jobs when their time has come, a slice at a time. */
final class Retirement {
    private static final int SLICE = 200;
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final KeyValues index;
    private final Keys keys;
    private final Jobs jobs;
    private final Housekeeping housekeeping;
    private final Routing routing;
    private final Effects out;

    Retirement(KeyValues index, Keys keys, Jobs jobs, Housekeeping housekeeping, Routing routing, Effects out) {
        this.index = index;
        this.keys = keys;
        this.jobs = jobs;
        this.housekeeping = housekeeping;
        this.routing = routing;
        this.out = out;
    }

    void forget(Job job) {
        jobs.forget(job);
        if (job.registered) out.tell(routing.ofJob(job.id), job.id.toString(), new Release(job.id, null));
    }

    private void retire(byte[] key) {
        index.delete(key);
        JobId id = Keys.jobAtEnd(key);
        Job job = jobs.find(id);
        // Taken back by a manual retry since, or finished again: then a later entry speaks for it.
        if (job == null || job.isLive() || job.endedAt == null) return;
        if (!job.endedAt.plus(Jobs.retention(job.state)).isAfter(out.now())) forget(job);
    }

    /** One slice; the next follows soon while there is more to forget. */
    void slice() {
        List<byte[]> due = new ArrayList<>();
        List<Long> next = new ArrayList<>();
        index.scan(keys.pruneFrom(0), keys.pruneFrom(Long.MAX_VALUE), (key, value) -> {
            boolean ripe = keys.pruneTime(key) <= out.now().toEpochMilli() && due.size() < SLICE;
            if (!ripe) next.add(keys.pruneTime(key));
            else due.add(key);
            return ripe;
        });
        due.forEach(this::retire);
        if (!next.isEmpty()) housekeeping.wantBy(after(next.getFirst()));
    }

    /** The rest of a long slice soon, but not in the same breath; otherwise not more than once a minute. */
    private Instant after(long first) {
        Instant wanted = Instant.ofEpochMilli(first);
        Instant soonest =
                wanted.isAfter(out.now()) ? out.now().plus(PAUSE) : out.now().plusMillis(10);
        return wanted.isAfter(soonest) ? wanted : soonest;
    }
}
