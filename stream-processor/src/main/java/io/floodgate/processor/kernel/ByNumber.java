package io.floodgate.processor.kernel;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Things by numbers that come in any order: 12 bytes an entry and little more, where a tree map takes 64, and no step that takes long.
 * Nor does it help to choose numbers, as it would with a hash table.
 *
 * <pre>
 *   from     [ 3        17        42 ]      found by halving, without a look at the chunks
 *   chunks     3 5 9    17 20     60 61     found by halving; what comes in or goes moves the rest of one chunk
 * </pre>
 */
public final class ByNumber<T> {
    private static final int MOST = 256;
    private static final int LEAST = 4;

    private static final class Chunk {
        private long[] numbers = new long[LEAST];
        private @Nullable Object[] things = new @Nullable Object[LEAST];
        private int size;

        int find(long number) {
            return Arrays.binarySearch(numbers, 0, size, number);
        }

        void insert(int at, long number, Object thing) {
            if (size == numbers.length) resize(Math.min(MOST, size + size / 4 + 1));
            move(at, at + 1);
            numbers[at] = number;
            things[at] = thing;
            size++;
        }

        void remove(int at) {
            move(at + 1, at);
            things[--size] = null;
            if (size >= LEAST && size < numbers.length / 2) resize(size + size / 4);
        }

        private void move(int from, int to) {
            System.arraycopy(numbers, from, numbers, to, size - from);
            System.arraycopy(things, from, things, to, size - from);
        }

        private void resize(int capacity) {
            numbers = Arrays.copyOf(numbers, capacity);
            things = Arrays.copyOf(things, capacity);
        }

        /** The upper half goes into a chunk of its own. */
        Chunk split() {
            Chunk upper = new Chunk();
            int middle = size / 2;
            upper.numbers = Arrays.copyOfRange(numbers, middle, size);
            upper.things = Arrays.copyOfRange(things, middle, size);
            upper.size = size - middle;
            size = middle;
            resize(middle);
            return upper;
        }

        void append(Chunk next) {
            int before = size;
            size += next.size;
            resize(size);
            System.arraycopy(next.numbers, 0, numbers, before, next.size);
            System.arraycopy(next.things, 0, things, before, next.size);
        }
    }

    /** All numbers of a chunk are at least this, and less than that of the next one; of the first chunk it does not count. */
    private long[] from = new long[1];

    private Chunk[] chunks = {new Chunk()};
    private int count = 1;
    private int size;

    public int size() {
        return size;
    }

    public @Nullable T find(long number) {
        Chunk chunk = chunks[chunkOf(number)];
        int at = chunk.find(number);
        return at < 0 ? null : thing(chunk, at);
    }

    public T computeIfAbsent(long number, Supplier<T> maker) {
        int index = chunkOf(number);
        int at = chunks[index].find(number);
        if (at >= 0) return thing(chunks[index], at);
        if (chunks[index].size == MOST) {
            insert(index + 1, chunks[index].split());
            index = chunkOf(number);
            at = chunks[index].find(number);
        }
        T made = maker.get();
        chunks[index].insert(-1 - at, number, made);
        size++;
        return made;
    }

    public void remove(long number) {
        int index = chunkOf(number);
        Chunk chunk = chunks[index];
        int at = chunk.find(number);
        if (at < 0) return;
        chunk.remove(at);
        size--;
        int left = Math.max(0, index - 1);
        if (chunk.size > MOST / 8 || count == 1) return;
        Chunk first = chunks[left];
        Chunk second = chunks[left + 1];
        if (first.size + second.size > MOST / 2) return;
        first.append(second);
        delete(left + 1);
    }

    /** Visits all in the order of their numbers. */
    public void visit(Visitor<T> visitor) {
        for (int c = 0; c < count; c++)
            for (int at = 0; at < chunks[c].size; at++) visitor.visit(chunks[c].numbers[at], thing(chunks[c], at));
    }

    @FunctionalInterface
    public interface Visitor<T> {
        void visit(long number, T thing);
    }

    public void clear() {
        from = new long[1];
        chunks = new Chunk[] {new Chunk()};
        count = 1;
        size = 0;
    }

    @SuppressWarnings("unchecked")
    private T thing(Chunk chunk, int at) {
        return (T) Objects.requireNonNull(chunk.things[at]);
    }

    private int chunkOf(long number) {
        int index = Arrays.binarySearch(from, 1, count, number);
        return index >= 0 ? index : -2 - index;
    }

    private void insert(int index, Chunk chunk) {
        if (count == chunks.length) {
            int capacity = count + count / 4 + 1;
            from = Arrays.copyOf(from, capacity);
            chunks = Arrays.copyOf(chunks, capacity);
        }
        System.arraycopy(from, index, from, index + 1, count - index);
        System.arraycopy(chunks, index, chunks, index + 1, count - index);
        from[index] = chunk.numbers[0];
        chunks[index] = chunk;
        count++;
    }

    private void delete(int index) {
        count--;
        System.arraycopy(from, index + 1, from, index, count - index);
        System.arraycopy(chunks, index + 1, chunks, index, count - index);
    }
}
