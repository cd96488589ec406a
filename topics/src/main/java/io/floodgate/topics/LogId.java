package io.floodgate.topics;

/** One partition of one log topic: the unit of determinism. */
public record LogId(String topic, int partition) implements Comparable<LogId> {
    @Override
    public int compareTo(LogId other) {
        int order = topic.compareTo(other.topic);
        return order != 0 ? order : Integer.compare(partition, other.partition);
    }

    /** Throws an {@link IllegalArgumentException} for anything else than what {@link #toString} gives. */
    public static LogId parse(String text) {
        int slash = text.lastIndexOf('/');
        if (slash < 1) throw new IllegalArgumentException("'%s' is no log".formatted(text));
        int partition = Integer.parseInt(text.substring(slash + 1));
        if (partition < 0) throw new IllegalArgumentException("'%s' is no log".formatted(text));
        return new LogId(text.substring(0, slash), partition);
    }

    @Override
    public String toString() {
        return topic + "/" + partition;
    }
}
