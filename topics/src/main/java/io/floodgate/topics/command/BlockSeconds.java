package io.floodgate.topics.command;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** How long a producer wants to wait for room, as it says it: seconds, with or without a fraction (OJS backpressure §5.2). */
public final class BlockSeconds {
    /** Longer than any of the official clients waits for an answer. */
    public static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int MOST_CHARS = 32;
    private static final double LONGEST_S = LONGEST.toSeconds();

    private BlockSeconds() {}

    /** What {@link #parse} takes for this time. */
    public static String write(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).toPlainString();
    }

    /** Empty if it is no time to wait; what is longer than the longest is that. */
    public static Optional<Duration> parse(String text) {
        if (text.length() > MOST_CHARS) return Optional.empty();
        try {
            double seconds = Double.parseDouble(text.strip());
            return seconds >= 0 && Double.isFinite(seconds)
                    ? Optional.of(Duration.ofMillis(Math.round(1_000 * Math.min(seconds, LONGEST_S))))
                    : Optional.empty();
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }
}
