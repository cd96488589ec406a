package io.floodgate.topics.workflow;

import io.floodgate.topics.json.WireName;
import java.util.Optional;

/** A job that follows from how all others have ended (OJS workflows §6.3). */
public enum Callback implements WireName {
    ON_COMPLETE(RunIf.ALL_DONE),
    ON_SUCCESS(RunIf.ALL_SUCCEEDED),
    ON_FAILURE(RunIf.ANY_FAILED),
    /** It does not wait for the others (an extension). */
    ON_FIRST_FAILURE(RunIf.ANY_FAILED);

    private final RunIf condition;

    Callback(RunIf condition) {
        this.condition = condition;
    }

    public RunIf condition() {
        return condition;
    }

    /** Returns the callback, in the spelling of any client: {@code on_success}, {@code on-success}. */
    public static Optional<Callback> parse(String text) {
        return WireName.parse(Callback.class, text.replace('-', '_'));
    }
}
