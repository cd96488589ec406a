package io.floodgate.gateway.door;

import io.floodgate.topics.command.Refusal;
import org.jspecify.annotations.Nullable;

/** What is known of jobs before they are written. */
public record CapacityVerdict(Kind kind, @Nullable Refusal refusal) {
    public enum Kind {
        /** There is room, or nothing is known: the jobs are written, and the log decides. */
        WRITE,
        /** There seems to be no room: the log is asked before they are written. */
        ASK,
        /** The log would refuse them, for it has just refused others like them. */
        REFUSE
    }

    static final CapacityVerdict WRITE = new CapacityVerdict(Kind.WRITE, null);
    static final CapacityVerdict ASK = new CapacityVerdict(Kind.ASK, null);

    static CapacityVerdict refuse(Refusal refusal) {
        return new CapacityVerdict(Kind.REFUSE, refusal);
    }
}
