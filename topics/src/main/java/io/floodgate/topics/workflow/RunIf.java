package io.floodgate.topics.workflow;

import java.util.Locale;
import java.util.Optional;

/** Conditions on which a step runs, once all that it needs has ended. */
public enum RunIf {
    ALL_SUCCEEDED,
    ALL_DONE,
    ANY_FAILED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RunIf> parse(String text) {
        for (RunIf condition : values()) if (condition.wire().equals(text)) return Optional.of(condition);
        return Optional.empty();
    }
}
