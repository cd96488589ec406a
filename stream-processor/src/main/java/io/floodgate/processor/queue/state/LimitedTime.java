package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/** Time for which a limit has held jobs back, so that each job that starts can say how long it was held back. */
public final class LimitedTime {
    /** Interruptions in which some of the jobs start are part of it. */
    private static final long INTERRUPTION_MS = 1_000;

    private long since;
    /** 0 while it lasts. */
    private long until;

    /** Notes whether a limit holds jobs back now. */
    public void note(boolean limited, long now) {
        if (!limited) {
            if (since > 0 && until == 0) until = now;
            return;
        }
        if (since == 0 || (until > 0 && now - until > INTERRUPTION_MS)) since = now;
        until = 0;
    }

    /** Returns how long a job that starts now was held back, in milliseconds, if it was there to start then. */
    public long of(JobRecord job, Instant now) {
        if (since == 0) return 0;
        Instant there = job.startedAt == null || job.enqueuedAt.isAfter(job.startedAt) ? job.enqueuedAt : job.startedAt;
        long end = until == 0 ? now.toEpochMilli() : until;
        return Math.max(0, end - Math.max(since, there.toEpochMilli()));
    }

    public boolean isNew() {
        return since == 0;
    }

    void write(BinaryOut out) {
        out.number(since).number(until);
    }

    void restore(BinaryIn in) {
        since = in.number();
        until = in.number();
    }
}
