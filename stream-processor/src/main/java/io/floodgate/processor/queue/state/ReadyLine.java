package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.SortedIds;
import io.floodgate.topics.JobId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in the order of their ranks, with the marks of their types, see {@link TypeHash}; and how many have which, so that it is
 * known at once when nothing in it is wanted.
 */
public final class ReadyLine {
    private static final int[] NONE = {};

    private final SortedIds ids = new SortedIds();
    /** Type hashes that are there, in order, and for each the number of jobs. */
    private int[] marks = NONE;

    private int[] counts = NONE;
    private int kinds;

    boolean add(long number, JobId job) {
        if (!ids.add(number, job)) return false;
        int mark = TypeHash.mark(number);
        int at = Arrays.binarySearch(marks, 0, kinds, mark);
        if (at < 0) at = open(-1 - at, mark);
        counts[at]++;
        return true;
    }

    private int open(int at, int mark) {
        if (kinds == marks.length) {
            marks = Arrays.copyOf(marks, kinds + 1 + kinds / 2);
            counts = Arrays.copyOf(counts, marks.length);
        }
        System.arraycopy(marks, at, marks, at + 1, kinds - at);
        System.arraycopy(counts, at, counts, at + 1, kinds - at);
        marks[at] = mark;
        counts[at] = 0;
        kinds++;
        return at;
    }

    boolean remove(long number, JobId job) {
        if (!ids.remove(number, job)) return false;
        int at = Arrays.binarySearch(marks, 0, kinds, TypeHash.mark(number));
        if (--counts[at] > 0) return true;
        kinds--;
        System.arraycopy(marks, at + 1, marks, at, kinds - at);
        System.arraycopy(counts, at + 1, counts, at, kinds - at);
        return true;
    }

    @Nullable
    JobId first() {
        return ids.first();
    }

    /** The number of the first one, which must be there. */
    long firstNumber() {
        return ids.firstNumber();
    }

    /** The first that is wanted; null if there is none. */
    SortedIds.@Nullable Entry first(WantedFilter wanted) {
        for (int at = 0; at < kinds; at++) if (wanted.hasMark(marks[at])) return ids.first(wanted::has);
        return null;
    }

    public void visitFrom(long number, SortedIds.Visitor visitor) {
        ids.visitFrom(number, visitor);
    }

    /** A search through all of them. */
    @Nullable
    Long numberOf(JobId job) {
        return ids.numberOf(job);
    }

    SortedIds.@Nullable Place place(long number, JobId job) {
        return ids.place(number, job);
    }

    public int size() {
        return ids.size();
    }

    boolean isEmpty() {
        return ids.isEmpty();
    }
}
