package io.floodgate.gateway.door;

import io.floodgate.topics.command.Refusal;
import org.jspecify.annotations.Nullable;

/** What is known of jobs before they are written. */
public record Verdict(Kind kind, @Nullable Refusal refusal) {
    public enum Kind {
        /** There is room, or nothing is known: the jobs are written, and the log decides. */
        WRITE,
        /** There seems to be no room: the log is asked before they are written. */
        ASK,
        /** The log would refuse them, for it has just refused others like them. */
        REFUSE
    }

    static final Verdict WRITE = new Verdict(Kind.WRITE, null);
    static final Verdict ASK = new Verdict(Kind.ASK, null);

    static Verdict refuse(Refusal refusal) {
        return new Verdict(Kind.REFUSE, refusal);
    }
}
