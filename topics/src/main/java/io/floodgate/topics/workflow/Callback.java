package io.floodgate.topics.workflow;

import java.util.Locale;
import java.util.Optional;

/** A job that follows from how all others have ended (OJS workflows §6.3). */
public enum Callback {
    ON_COMPLETE(RunIf.ALL_DONE),
    ON_SUCCESS(RunIf.ALL_SUCCEEDED),
    ON_FAILURE(RunIf.ANY_FAILED);

    private final RunIf condition;

    Callback(RunIf condition) {
        this.condition = condition;
    }

    public RunIf condition() {
        return condition;
    }

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the callback, in the spelling of any client: {@code on_success}, {@code on-success}. */
    public static Optional<Callback> parse(String text) {
        String plain = text.replace('-', '_');
        for (Callback callback : values()) if (callback.wire().equals(plain)) return Optional.of(callback);
        return Optional.empty();
    }
}
