package io.floodgate.processor.kernel;

import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A sorted set of ids, each under a number: 24 bytes an entry and little more, so that millions of them fit into memory.
 *
 * <pre>
 *   chunks   [ 3:a 3:b 7:c ]  [ 8:d 9:e ]  [ 12:f ]      found by halving, first the chunk, then the place in it;
 *                                                        what comes in or goes moves the shorter side of one chunk
 * </pre>
 *
 * Equal numbers are in the order of their ids. What is added at the end, as almost everything is, fills its chunks.
 */
public final class SortedIds {
    private static final int MOST = 256;
    /** Chunks: some million entries. */
    private static final int MOST_COUNTED = 10_000;

    private static final int LEAST = 4;
    private static final int WIDTH = 3;

    /** Receives each entry, in order, until it has had enough. */
    @FunctionalInterface
    public interface Visitor {
        boolean visit(long number, JobId id);
    }

    /** A window of entries in an array that has space on both sides. */
    private static final class Chunk {
        private long[] entries = new long[LEAST * WIDTH];
        private int from;
        private int to;

        private int size() {
            return to - from;
        }

        private int capacity() {
            return entries.length / WIDTH;
        }

        private int compare(int at, long number, long high, long low) {
            int i = at * WIDTH;
            int order = Long.compare(entries[i], number);
            if (order == 0) order = Long.compareUnsigned(entries[i + 1], high);
            return order != 0 ? order : Long.compareUnsigned(entries[i + 2], low);
        }

        /** Returns the index of the entry, or -1 less the index it belongs at. */
        private int find(long number, long high, long low) {
            int least = from;
            int most = to - 1;
            while (least <= most) {
                int middle = (least + most) >>> 1;
                int order = compare(middle, number, high, low);
                if (order == 0) return middle;
                if (order < 0) least = middle + 1;
                else most = middle - 1;
            }
            return -1 - least;
        }

        private void insert(int place, long number, long high, long low) {
            int at = place;
            if (size() == capacity()) at += resize(Math.min(MOST, capacity() + capacity() / 2));
            boolean left = to == capacity() || (from > 0 && at - from < to - at);
            if (left) {
                move(from, from - 1, at - from);
                from--;
                at--;
            } else {
                move(at, at + 1, to - at);
                to++;
            }
            int i = at * WIDTH;
            entries[i] = number;
            entries[i + 1] = high;
            entries[i + 2] = low;
        }

        private void remove(int at) {
            if (at - from < to - 1 - at) {
                move(from, from + 1, at - from);
                from++;
            } else {
                move(at + 1, at, to - 1 - at);
                to--;
            }
            if (capacity() > LEAST && size() <= capacity() / 2) resize(Math.max(LEAST, capacity() * 3 / 4));
        }

        private void move(int source, int target, int count) {
            System.arraycopy(entries, source * WIDTH, entries, target * WIDTH, count * WIDTH);
        }

        /** Moves all entries to the left end of an array of this capacity, and returns how far. */
        private int resize(int capacity) {
            long[] resized = new long[capacity * WIDTH];
            System.arraycopy(entries, from * WIDTH, resized, 0, size() * WIDTH);
            entries = resized;
            int moved = -from;
            to -= from;
            from = 0;
            return moved;
        }

        /** The upper half goes into a chunk of its own. */
        private Chunk split() {
            Chunk upper = new Chunk();
            int middle = (from + to) >>> 1;
            upper.entries = Arrays.copyOfRange(entries, middle * WIDTH, to * WIDTH);
            upper.to = to - middle;
            to = middle;
            resize(size());
            return upper;
        }

        private void append(Chunk next) {
            long[] all = Arrays.copyOfRange(entries, from * WIDTH, (to + next.size()) * WIDTH);
            System.arraycopy(next.entries, next.from * WIDTH, all, size() * WIDTH, next.size() * WIDTH);
            to = size() + next.size();
            from = 0;
            entries = all;
        }

        private JobId id(int at) {
            return new JobId(entries[at * WIDTH + 1], entries[at * WIDTH + 2]);
        }
    }

    private final List<Chunk> chunks = new ArrayList<>(1);
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds an entry. Returns false when it is there already. */
    public boolean add(long number, JobId id) {
        return add(number, id.high(), id.low());
    }

    public boolean add(long number, long high, long low) {
        if (chunks.isEmpty()) chunks.add(new Chunk());
        int index = chunkOf(number, high, low);
        Chunk chunk = chunks.get(index);
        int at = chunk.find(number, high, low);
        if (at >= 0) return false;
        at = -1 - at;
        if (chunk.size() == MOST) {
            boolean atTheEnd = index == chunks.size() - 1 && at == chunk.to;
            Chunk upper = atTheEnd ? new Chunk() : chunk.split();
            chunks.add(index + 1, upper);
            if (atTheEnd || at > chunk.to) {
                chunk = upper;
            }
            at = -1 - chunk.find(number, high, low);
        }
        chunk.insert(at, number, high, low);
        size++;
        return true;
    }

    /** Removes an entry. Returns false when it is not there. */
    public boolean remove(long number, JobId id) {
        return remove(number, id.high(), id.low());
    }

    public boolean remove(long number, long high, long low) {
        if (size == 0) return false;
        int index = chunkOf(number, high, low);
        Chunk chunk = chunks.get(index);
        int at = chunk.find(number, high, low);
        if (at < 0) return false;
        chunk.remove(at);
        size--;
        if (chunk.size() == 0) chunks.remove(index);
        else mergeSmall(index);
        return true;
    }

    /** Chunks that have emptied are not kept apart. */
    private void mergeSmall(int index) {
        Chunk chunk = chunks.get(index);
        if (chunk.size() > MOST / 8 || chunks.size() == 1) return;
        int left = index == 0 ? 0 : index - 1;
        Chunk first = chunks.get(left);
        Chunk second = chunks.get(left + 1);
        if (first.size() + second.size() > MOST / 2) return;
        first.append(second);
        chunks.remove(left + 1);
    }

    /** The chunk in which the entry is, or belongs: the last one that does not begin behind it. */
    private int chunkOf(long number, long high, long low) {
        int least = 0;
        int most = chunks.size() - 1;
        while (least < most) {
            int middle = (least + most + 1) >>> 1;
            Chunk chunk = chunks.get(middle);
            if (chunk.compare(chunk.from, number, high, low) <= 0) least = middle;
            else most = middle - 1;
        }
        return least;
    }

    /**
     * The number of entries before another one.
     *
     * @param isExact false when there are too many to count all of them
     */
    public record Place(long before, boolean isExact) {}

    /** Returns how many entries are before this one; null when it is not there. */
    public @Nullable Place place(long number, JobId id) {
        if (size == 0) return null;
        int index = chunkOf(number, id.high(), id.low());
        Chunk chunk = chunks.get(index);
        int at = chunk.find(number, id.high(), id.low());
        if (at < 0) return null;
        long before = (long) at - chunk.from;
        for (int i = 0; i < Math.min(index, MOST_COUNTED); i++)
            before += chunks.get(i).size();
        return new Place(before, index <= MOST_COUNTED);
    }

    /** The first id; null when there is none. */
    public @Nullable JobId first() {
        if (size == 0) return null;
        Chunk chunk = chunks.getFirst();
        return chunk.id(chunk.from);
    }

    /** The number of the first entry, which must be there. */
    public long firstNumber() {
        Chunk chunk = chunks.getFirst();
        return chunk.entries[chunk.from * WIDTH];
    }

    public record Entry(long number, JobId id) {}

    /** The first entry with such a number; null when there is none. */
    public @Nullable Entry first(LongPredicate such) {
        for (Chunk chunk : chunks)
            for (int at = chunk.from; at < chunk.to; at++) {
                long number = chunk.entries[at * WIDTH];
                if (such.test(number)) return new Entry(number, chunk.id(at));
            }
        return null;
    }

    /** Visits the entries in order, from the first with this number or a higher one. */
    public void visitFrom(long number, Visitor visitor) {
        if (size == 0) return;
        for (int c = chunkOf(number, 0, 0); c < chunks.size(); c++) {
            Chunk chunk = chunks.get(c);
            for (int at = chunk.from; at < chunk.to; at++) {
                long own = chunk.entries[at * WIDTH];
                if (own >= number && !visitor.visit(own, chunk.id(at))) return;
            }
        }
    }

    /** The number of an id, the first if it has several; null when it is not there. A search through all of them. */
    public @Nullable Long numberOf(JobId id) {
        Long[] found = {null};
        visitFrom(Long.MIN_VALUE, (number, other) -> {
            if (other.equals(id)) found[0] = number;
            return found[0] == null;
        });
        return found[0];
    }

    public void clear() {
        chunks.clear();
        size = 0;
    }
}
