package io.floodgate.gateway.capacity;

import io.floodgate.topics.command.Rejection;
import org.jspecify.annotations.Nullable;

/** The verdict on jobs before they are written. */
public record CapacityVerdict(Kind kind, @Nullable Rejection rejection) {
    public enum Kind {
        /** There is capacity, or nothing is known: the jobs are written, and the partition decides. */
        WRITE,
        /** There seems to be no capacity: the partition is asked before they are written. */
        ASK,
        /** The partition would reject them, for it has just rejected others like them. */
        REJECT
    }

    static final CapacityVerdict WRITE = new CapacityVerdict(Kind.WRITE, null);
    static final CapacityVerdict ASK = new CapacityVerdict(Kind.ASK, null);

    static CapacityVerdict reject(Rejection rejection) {
        return new CapacityVerdict(Kind.REJECT, rejection);
    }
}
