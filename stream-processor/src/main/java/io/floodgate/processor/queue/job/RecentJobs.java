package io.floodgate.processor.queue.job;

import io.floodgate.topics.JobId;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The jobs with the newest ids. An id begins with the time when it was made: one that is newer than all that are not
 * remembered, and is not remembered itself, need not be looked for in the store.
 */
final class RecentJobs {
    private static final int MOST = 4_096;

    private final TreeSet<JobId> ids = new TreeSet<>();
    /** The last of them: most jobs that come are newer. */
    private @Nullable JobId newest;

    /** The highest id that was forgotten: every job with an id above it is remembered. */
    private @Nullable JobId floor;

    boolean knowsWhereItBegins() {
        return floor != null;
    }

    /** @param newest of all jobs that are stored */
    void beginAfter(JobId newest) {
        raise(newest);
    }

    /** Remembers a job that is stored now, or about to be. */
    void add(JobId id) {
        if (floor != null && id.compareTo(floor) <= 0) return;
        ids.add(id);
        if (isNewest(id)) newest = id;
        if (ids.size() > MOST) floor = ids.pollFirst();
    }

    private void raise(JobId to) {
        if (floor == null || floor.compareTo(to) < 0) floor = to;
        ids.headSet(to, true).clear();
    }

    boolean isCertainlyNew(JobId id) {
        return floor != null && id.compareTo(floor) > 0 && (isNewest(id) || !ids.contains(id));
    }

    private boolean isNewest(JobId id) {
        return newest == null || id.compareTo(newest) > 0;
    }
}
