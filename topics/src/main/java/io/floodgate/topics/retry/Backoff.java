package io.floodgate.topics.retry;

import io.floodgate.topics.json.WireName;
import java.util.Locale;
import java.util.Optional;

/** Ways in which the delay grows from retry to retry (OJS retry §3). */
public enum Backoff implements WireName {
    CONSTANT(0),
    LINEAR(1),
    EXPONENTIAL(2),
    POLYNOMIAL(3);

    private static final Backoff[] KINDS = values();

    private final int code;

    Backoff(int code) {
        this.code = code;
    }

    /** Returns the stored code: from 0, without gaps, and never given to another kind. */
    public int code() {
        return code;
    }

    public static Backoff ofCode(int code) {
        return KINDS[code];
    }

    static Optional<Backoff> parse(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "none", "constant", "fixed" -> Optional.of(CONSTANT);
            case "linear" -> Optional.of(LINEAR);
            case "exponential" -> Optional.of(EXPONENTIAL);
            case "polynomial" -> Optional.of(POLYNOMIAL);
            default -> Optional.empty();
        };
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
