package io.floodgate.topics.job;

import java.util.Locale;
import java.util.Optional;

/** How the delay grows from retry to retry (OJS retry §3). The order is part of the stored form: append only. */
public enum Backoff {
    CONSTANT,
    LINEAR,
    EXPONENTIAL,
    POLYNOMIAL;

    static Optional<Backoff> parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "none", "constant", "fixed" -> Optional.of(CONSTANT);
            case "linear" -> Optional.of(LINEAR);
            case "exponential" -> Optional.of(EXPONENTIAL);
            case "polynomial" -> Optional.of(POLYNOMIAL);
            default -> Optional.empty();
        };
    }

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The delay before retry {@code n} (from 1) in milliseconds, neither capped nor jittered; infinity when it overflows. */
    double rawMillis(double initialMillis, double coefficient, int n) {
        return switch (this) {
            case CONSTANT -> initialMillis;
            case LINEAR -> initialMillis * n;
            case EXPONENTIAL -> initialMillis * StrictMath.pow(coefficient, n - 1.0);
            case POLYNOMIAL -> initialMillis * StrictMath.pow(n, coefficient);
        };
    }
}
