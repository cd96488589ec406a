package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.queue.state.IndexEntry.Ordered;
import io.floodgate.topics.JobId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The jobs of one order key. Most lines have one job, which takes no further object: there may be a million of them. */
final class KeyLine {
    private static final long NONE = -1;

    /** All jobs but the first, and which of them runs or is released. */
    private static final class Others {
        private final String queue;
        private final SortedIds jobs = new SortedIds();
        private @Nullable JobId running;
        private @Nullable JobId released;

        Others(String queue) {
            this.queue = queue;
        }
    }

    private long number = NONE;
    private long high;
    private long low;
    private boolean firstRuns;
    private boolean firstIsReleased;
    private @Nullable Others others;

    boolean isEmpty() {
        return number == NONE;
    }

    int size() {
        return isEmpty() ? 0 : 1 + (others == null ? 0 : others.jobs.size());
    }

    void add(Ordered place, JobId job) {
        if (!isEmpty() && place.number() > number) {
            others(place).jobs.add(place.number(), job);
            return;
        }
        if (!isEmpty()) {
            Others later = others(place);
            later.jobs.add(number, first());
            if (firstRuns) later.running = first();
            if (firstIsReleased) later.released = first();
        }
        putFirst(place.number(), job);
        firstRuns = false;
        firstIsReleased = false;
    }

    private Others others(Ordered place) {
        if (others == null) others = new Others(place.queue());
        return others;
    }

    private void putFirst(long place, JobId job) {
        number = place;
        high = job.high();
        low = job.low();
    }

    void remove(long place, JobId job) {
        if (isFirst(job)) {
            number = NONE;
            firstRuns = false;
            firstIsReleased = false;
            if (others != null) promote(others);
        } else if (others != null && others.jobs.remove(place, job)) {
            if (job.equals(others.running)) others.running = null;
            if (job.equals(others.released)) others.released = null;
        }
        if (others != null && others.jobs.isEmpty()) others = null;
    }

    private void promote(Others later) {
        JobId next = Objects.requireNonNull(later.jobs.first());
        putFirst(later.jobs.firstNumber(), next);
        later.jobs.remove(number, next);
        firstRuns = next.equals(later.running);
        firstIsReleased = next.equals(later.released);
        if (firstRuns) later.running = null;
        if (firstIsReleased) later.released = null;
    }

    boolean isFirst(JobId job) {
        return !isEmpty() && job.high() == high && job.low() == low;
    }

    private JobId first() {
        return new JobId(high, low);
    }

    @Nullable
    JobId running() {
        if (firstRuns) return first();
        return others == null ? null : others.running;
    }

    boolean isRunning(JobId job) {
        return isFirst(job) ? firstRuns : others != null && job.equals(others.running);
    }

    void run(JobId job) {
        if (isFirst(job)) firstRuns = true;
        else if (others != null) others.running = job;
    }

    /** Returns the job that fetches look at, should it be available; null if none is to be. */
    @Nullable
    JobId released() {
        if (firstIsReleased) return first();
        return others == null ? null : others.released;
    }

    boolean isReleased(JobId job) {
        return isFirst(job) ? firstIsReleased : others != null && job.equals(others.released);
    }

    /** @param job null if none is to be released */
    void release(@Nullable JobId job) {
        firstIsReleased = job != null && isFirst(job);
        if (others != null) others.released = firstIsReleased ? null : job;
    }

    /** Returns the job that may start; null if one of the line runs. */
    @Nullable
    JobId next() {
        // mutant: key-running
        return running() == null ? first() : null;
    }

    boolean isNext(JobId job) {
        return isFirst(job) && running() == null;
    }

    /** Returns the job that the others wait for. */
    JobId holder() {
        JobId running = running();
        return running == null ? first() : running;
    }

    /** Returns the place of the job in this line, whose number is given; null if it is not here. A search through all of them. */
    @Nullable
    Ordered find(JobId job, long line) {
        Long place = isFirst(job) ? (Long) number : others == null ? null : others.jobs.numberOf(job);
        // The queue counts where there are several jobs.
        return place == null ? null : new Ordered(others == null ? "" : others.queue, line, place, isRunning(job));
    }
}
