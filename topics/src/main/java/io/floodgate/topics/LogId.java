package io.floodgate.topics;

/** One partition of {@code ojs.commands}: the unit of determinism. */
public record LogId(int partition) implements Comparable<LogId> {
    private static final String PREFIX = Topics.COMMANDS + "/";

    @Override
    public int compareTo(LogId other) {
        return Integer.compare(partition, other.partition);
    }

    /** Throws an {@link IllegalArgumentException} for anything else than what {@link #toString} gives. */
    public static LogId parse(String text) {
        if (!text.startsWith(PREFIX)) throw new IllegalArgumentException("'%s' is no log".formatted(text));
        int partition = Integer.parseInt(text.substring(PREFIX.length()));
        if (partition < 0) throw new IllegalArgumentException("'%s' is no log".formatted(text));
        return new LogId(partition);
    }

    @Override
    public String toString() {
        return PREFIX + partition;
    }
}
