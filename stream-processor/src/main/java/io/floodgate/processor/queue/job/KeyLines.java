package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.ByNumber;
import io.floodgate.processor.queue.state.IndexEntry.Ordered;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lines of jobs with the same queue, tenant and order key. The first job of a line may start unless one of the line runs; all others wait
 * behind it, and are not among those that fetches look at. They are kept in memory only, and rebuilt from the jobs at a start.
 */
final class KeyLines {
    private final ByNumber<KeyLine> lines = new ByNumber<>();
    /** Lines in which another job may have to be released. */
    private final Set<Long> unsettled = new LinkedHashSet<>();

    /** How many lines of a queue have how many jobs, of those with more than one. */
    private final Map<String, TreeMap<Integer, Integer>> lengths = new TreeMap<>();

    private long jobs;
    private long longLines;
    /** The same line is mostly looked for again in the same step. */
    private @Nullable KeyLine last;

    private long lastNumber;

    long memoryBytes() {
        return lines.size() * Memory.KEY_LINE
                + longLines * Memory.KEY_LINE_OF_SEVERAL
                + (jobs - lines.size()) * Memory.READY_JOB;
    }

    void clear() {
        lines.clear();
        unsettled.clear();
        last = null;
        jobs = 0;
        longLines = 0;
        lengths.clear();
    }

    private @Nullable KeyLine line(long number) {
        if (last == null || lastNumber != number) {
            last = lines.find(number);
            lastNumber = number;
        }
        return last;
    }

    /** Puts a job into its line. Returns whether it is the one that may start, and no other one has been released. */
    boolean add(Ordered place, JobId job) {
        KeyLine line =
                last != null && lastNumber == place.line() ? last : lines.computeIfAbsent(place.line(), KeyLine::new);
        last = line;
        lastNumber = place.line();
        line.add(place, job);
        jobs++;
        if (line.size() > 1) count(place, line.size() - 1, line.size());
        if (place.runs()) line.run(job);
        JobId released = line.released();
        if (released != null && !line.isNext(released)) unsettled.add(place.line());
        return released == null && line.isNext(job);
    }

    void remove(Ordered place, JobId job) {
        KeyLine line = line(place.line());
        if (line == null) return;
        boolean isAlone = line.size() == 1;
        if (!isAlone && (line.isFirst(job) || line.isRunning(job))) unsettled.add(place.line());
        line.remove(place.number(), job);
        jobs--;
        if (!isAlone) count(place, line.size() + 1, line.size());
        if (!line.isEmpty()) return;
        lines.remove(place.line());
        last = null;
    }

    boolean isReleased(Ordered place, JobId job) {
        KeyLine line = line(place.line());
        return line != null && line.isReleased(job);
    }

    void release(Ordered place, @Nullable JobId job) {
        KeyLine line = line(place.line());
        if (line != null) line.release(job);
    }

    /** A line in which another job is to be released than the one that has been. */
    record Change(@Nullable JobId released, @Nullable JobId next) {}

    /** Returns the changes that are left to make; each is returned once. */
    List<Change> takeChanges() {
        if (unsettled.isEmpty()) return List.of();
        List<Change> changes = new ArrayList<>(unsettled.size());
        for (long number : unsettled) {
            KeyLine line = line(number);
            if (line == null) continue;
            Change change = new Change(line.released(), line.next());
            if (!Objects.equals(change.released, change.next)) changes.add(change);
        }
        unsettled.clear();
        return changes;
    }

    void forgetChanges() {
        unsettled.clear();
    }

    /** Returns the job that keeps this one back; null if none does. */
    @Nullable
    JobId holder(Ordered place, JobId job) {
        KeyLine line = line(place.line());
        if (line == null) return null;
        JobId holder = line.holder();
        return job.equals(holder) ? null : holder;
    }

    /** Returns the number of jobs in the line. */
    int size(long number) {
        KeyLine line = line(number);
        return line == null ? 0 : line.size();
    }

    private void count(Ordered place, int before, int after) {
        TreeMap<Integer, Integer> known = lengths.computeIfAbsent(place.queue(), queue -> new TreeMap<>());
        if (before > 1) known.computeIfPresent(before, (length, lines) -> lines == 1 ? null : lines - 1);
        else longLines++;
        if (after > 1) known.merge(after, 1, Integer::sum);
        else longLines--;
        if (known.isEmpty()) lengths.remove(place.queue());
    }

    /** Returns the number of jobs in the longest line of the queue; 0 if none has more than one. */
    int longest(String queue) {
        TreeMap<Integer, Integer> known = lengths.get(queue);
        return known == null ? 0 : known.lastKey();
    }

    /** Returns the numbers of all lines. */
    Set<Long> all() {
        Set<Long> numbers = new TreeSet<>();
        lines.visit((number, line) -> numbers.add(number));
        return numbers;
    }

    /** Returns the job that fetches look at; null if there is none. */
    @Nullable
    JobId released(long number) {
        KeyLine line = line(number);
        return line == null ? null : line.released();
    }

    /** Returns the place of the job, if it has one: a search through all of them. */
    @Nullable
    Ordered find(JobId job) {
        @Nullable Ordered[] found = {null};
        lines.visit((number, line) -> {
            Ordered place = line.find(job, number);
            if (place != null) found[0] = place;
        });
        return found[0];
    }
}
