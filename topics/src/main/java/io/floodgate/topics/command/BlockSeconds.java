package io.floodgate.topics.command;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** How long a producer wants to wait for room, as it says it: seconds, with or without a fraction (OJS backpressure §5.2). */
public final class BlockSeconds {
    /** Longer than any of the official clients waits for an answer. */
    public static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int MOST_CHARS = 32;

    private BlockSeconds() {}

    /** What {@link #parse} takes for this time. */
    public static String write(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).toPlainString();
    }

    /** Empty if it is no time to wait, or longer than the longest. */
    public static Optional<Duration> parse(String text) {
        if (text.length() > MOST_CHARS) return Optional.empty();
        try {
            double seconds = Double.parseDouble(text.strip());
            return seconds >= 0 && seconds <= LONGEST.toSeconds()
                    ? Optional.of(Duration.ofMillis(Math.round(1_000 * seconds)))
                    : Optional.empty();
        } catch (NumberFormatException noNumber) {
            return Optional.empty();
        }
    }

    /** Why {@link #parse} does not take what a header says. */
    public static String problem(String header, String text) {
        return "The header '%s' must be a number of seconds from 0 to %d, and not '%s'."
                .formatted(header, LONGEST.toSeconds(), Limits.echo(text));
    }
}
