package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import java.util.Optional;

/** Who waits for a reply: a partition of the reply topic, the requester that reads it, and the requester's own number. */
public record ReplyTo(int partition, String requester, long correlation) {
    /** No client can have this name: it is no word of a header. */
    private static final String WORKFLOW = "workflow ";

    /** A workflow of the same partition waits for the reply. */
    public static ReplyTo ofWorkflow(JobId id) {
        return new ReplyTo(0, WORKFLOW + id, 0);
    }

    /** The workflow that waits for the reply, if one does. */
    public Optional<JobId> workflow() {
        return requester.startsWith(WORKFLOW) ? JobId.parse(requester.substring(WORKFLOW.length())) : Optional.empty();
    }

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
