package io.floodgate.topics;

/** One partition of {@code ojs.commands}: the unit of determinism. */
public record PartitionId(int partition) implements Comparable<PartitionId> {
    private static final String PREFIX = Topics.COMMANDS + "/";

    @Override
    public int compareTo(PartitionId other) {
        return Integer.compare(partition, other.partition);
    }

    /** Throws an {@link IllegalArgumentException} for anything else than what {@link #toString} gives. */
    public static PartitionId parse(String text) {
        if (!text.startsWith(PREFIX)) throw new IllegalArgumentException("'%s' is no partition".formatted(text));
        int partition = Integer.parseInt(text.substring(PREFIX.length()));
        if (partition < 0) throw new IllegalArgumentException("'%s' is no partition".formatted(text));
        return new PartitionId(partition);
    }

    @Override
    public String toString() {
        return PREFIX + partition;
    }
}
