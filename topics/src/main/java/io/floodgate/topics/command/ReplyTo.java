package io.floodgate.topics.command;

/** Who waits for a reply: a partition of the reply topic, the requester that reads it, and the requester's own number. */
public record ReplyTo(int partition, String requester, long correlation) {
    /** Throws an {@link IllegalArgumentException} for anything else than what {@link #toString} gives. */
    public static ReplyTo parse(String text) {
        int first = text.indexOf(':');
        int last = text.lastIndexOf(':');
        if (first == last) throw new IllegalArgumentException("'%s' is no reply address".formatted(text));
        int partition = Integer.parseInt(text.substring(0, first));
        if (partition < 0) throw new IllegalArgumentException("'%s' is no reply address".formatted(text));
        return new ReplyTo(partition, text.substring(first + 1, last), Long.parseLong(text.substring(last + 1)));
    }

    @Override
    public String toString() {
        return partition + ":" + requester + ":" + correlation;
    }
}
