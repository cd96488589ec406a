package io.floodgate.processor.queue.state;

/**
 * Sixteen bits of a job's type, which stand behind its rank in the ready order: so a fetch with a type filter passes
 * over other jobs without reading them. Ranks have forty-seven bits, which no queue uses up.
 */
public final class TypeHash {
    private static final int BITS = 16;
    private static final int MASK = (1 << BITS) - 1;

    private TypeHash() {}

    /** Jobs of different types may have the same, very seldom. */
    public static int of(String type) {
        int hash = type.hashCode();
        return (hash ^ (hash >>> BITS)) & MASK;
    }

    /** In the order of ranks, of which no two jobs of a queue have the same. */
    static long number(long rank, int mark) {
        return (rank << BITS) | mark;
    }

    static long rank(long number) {
        return number >> BITS;
    }

    static int mark(long number) {
        return (int) (number & MASK);
    }
}
