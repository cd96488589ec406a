package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.processor.queue.state.IndexEntry.Ordered;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.topics.JobId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lines of jobs with the same queue, tenant and order key. The first job of a line may start unless one of the line runs; all others wait
 * behind it, and are not among those that fetches look at. They are kept in memory only, and rebuilt from the jobs at a start.
 */
final class KeyLines {
    /** One line: most have one job, which takes no list. */
    private static final class Line {
        private long number;
        private @Nullable JobId first;
        private @Nullable SortedIds others;
        private @Nullable JobId running;
        /** The job that fetches look at, should it be available; null if none is to be. */
        private @Nullable JobId released;

        void add(long place, JobId job) {
            JobId before = first;
            if (before != null && place > number) {
                list().add(place, job);
                return;
            }
            if (before != null) list().add(number, before);
            number = place;
            first = job;
        }

        private SortedIds list() {
            if (others == null) others = new SortedIds();
            return others;
        }

        void remove(long place, JobId job) {
            if (!job.equals(first)) {
                if (others != null && others.remove(place, job) && others.isEmpty()) others = null;
                return;
            }
            first = null;
            if (others == null) return;
            number = others.firstNumber();
            first = others.first();
            if (first != null) others.remove(number, first);
            if (others.isEmpty()) others = null;
        }

        /** Returns the job that may start; null if one of the line runs. */
        @Nullable
        JobId next() {
            // mutant: key-running
            return running == null ? first : null;
        }
    }

    private final Map<Long, Line> lines = new TreeMap<>();
    /** Lines in which another job may have to be released. */
    private final Set<Long> unsettled = new LinkedHashSet<>();

    private long jobs;

    long memoryBytes() {
        return lines.size() * Memory.KEY_LINE + (jobs - lines.size()) * Memory.READY_JOB;
    }

    void clear() {
        lines.clear();
        unsettled.clear();
        jobs = 0;
    }

    /** Puts a job into its line. Returns whether it is the one that may start, and no other one has been released. */
    boolean add(Ordered place, JobId job) {
        Line line = lines.computeIfAbsent(place.line(), l -> new Line());
        line.add(place.number(), job);
        jobs++;
        if (place.runs()) line.running = job;
        boolean isNext = job.equals(line.next());
        if (line.released != null && !line.released.equals(line.next())) unsettled.add(place.line());
        return isNext && line.released == null;
    }

    void remove(Ordered place, JobId job) {
        Line line = lines.get(place.line());
        if (line == null) return;
        if (job.equals(line.first) || job.equals(line.running)) unsettled.add(place.line());
        line.remove(place.number(), job);
        jobs--;
        if (job.equals(line.running)) line.running = null;
        if (line.first == null) lines.remove(place.line());
    }

    boolean isReleased(Ordered place, JobId job) {
        Line line = lines.get(place.line());
        return line != null && job.equals(line.released);
    }

    void release(Ordered place, @Nullable JobId job) {
        Line line = lines.get(place.line());
        if (line != null) line.released = job;
    }

    /** A line in which another job is to be released than the one that has been. */
    record Change(
            long line, @Nullable JobId released, @Nullable JobId next) {}

    /** Returns the changes that are left to make; each is returned once. */
    List<Change> takeChanges() {
        if (unsettled.isEmpty()) return List.of();
        List<Change> changes = unsettled.stream()
                .map(this::change)
                .filter(change -> change != null)
                .toList();
        unsettled.clear();
        return changes;
    }

    private @Nullable Change change(long number) {
        Line line = lines.get(number);
        if (line == null) return null;
        JobId next = line.next();
        boolean isSame = next == null ? line.released == null : next.equals(line.released);
        return isSame ? null : new Change(number, line.released, next);
    }

    void forgetChanges() {
        unsettled.clear();
    }

    /** Returns the job that keeps this one back; null if none does. */
    @Nullable
    JobId holder(Ordered place, JobId job) {
        Line line = lines.get(place.line());
        if (line == null) return null;
        JobId holder = line.running == null ? line.first : line.running;
        return job.equals(holder) ? null : holder;
    }

    /** Returns the number of jobs in the line. */
    int size(long number) {
        Line line = lines.get(number);
        if (line == null) return 0;
        return 1 + (line.others == null ? 0 : line.others.size());
    }

    /** Returns the numbers of all lines. */
    Set<Long> all() {
        return lines.keySet();
    }

    /** Returns the job that fetches look at; null if there is none. */
    @Nullable
    JobId released(long number) {
        Line line = lines.get(number);
        return line == null ? null : line.released;
    }

    /** Returns the place of the job, if it has one: a search through all of them. */
    @Nullable
    Ordered find(JobId job) {
        for (Map.Entry<Long, Line> entry : lines.entrySet()) {
            Line line = entry.getValue();
            boolean isFirst = job.equals(line.first);
            Long place = isFirst ? (Long) line.number : line.others == null ? null : line.others.numberOf(job);
            if (place != null) return new Ordered(entry.getKey(), place, job.equals(line.running));
        }
        return null;
    }
}
