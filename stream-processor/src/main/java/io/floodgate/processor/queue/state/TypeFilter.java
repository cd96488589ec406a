package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.JobTypes;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** The types that a fetch wants of one queue, in the terms of its ready order. */
public final class TypeFilter {
    /** Jobs that look as if they were of a type that is wanted, and are not: with more of them, the rest is left. */
    private static final int MOST_MISTAKEN = 100;

    private final JobTypes types;
    private final int[] marks;
    private final Set<Long> mistaken = new TreeSet<>();

    public TypeFilter(JobTypes types) {
        this.types = types;
        marks = types.names().stream().mapToInt(TypeHash::of).sorted().toArray();
    }

    boolean isAll() {
        return types.areAll();
    }

    /** Whether jobs with this mark may be wanted. Of those to leave out, all with their marks are left out. */
    boolean hasMark(int mark) {
        return (Arrays.binarySearch(marks, mark) >= 0) != types.excluded();
    }

    /** @param number as {@link TypeHash} makes it */
    public boolean has(long number) {
        return hasMark(TypeHash.mark(number)) && (mistaken.isEmpty() || !mistaken.contains(number));
    }

    /** Whether this job is wanted; false, too, if there is no use in looking further. */
    public boolean has(JobRecord job) {
        if (types.have(job.type)) return true;
        mistaken.add(TypeHash.number(job.rank, TypeHash.of(job.type)));
        return false;
    }

    public boolean goesOn() {
        return mistaken.size() < MOST_MISTAKEN;
    }
}
