package io.floodgate.topics.command;

/** Who waits for a reply: a partition of the reply topic, the requester that reads it, and the requester's own number. */
public record ReplyTo(int partition, String requester, long correlation) {
    public static ReplyTo parse(String text) {
        int first = text.indexOf(':');
        int last = text.lastIndexOf(':');
        return new ReplyTo(
                Integer.parseInt(text.substring(0, first)),
                text.substring(first + 1, last),
                Long.parseLong(text.substring(last + 1)));
    }

    @Override
    public String toString() {
        return partition + ":" + requester + ":" + correlation;
    }
}
