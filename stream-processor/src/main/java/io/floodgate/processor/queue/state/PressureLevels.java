package io.floodgate.processor.queue.state;

import io.floodgate.topics.queue.QueueConfig;

/** The fill level of a queue, as it is shown: the part of its bound that is used, and the level of pressure. */
public final class PressureLevels {
    private static final double ROUNDING = 10_000;
    /** A fraction of four decimals may be a little less as a binary number. */
    private static final double BINARY_ERROR = 1e-9;

    private PressureLevels() {}

    /** Returns the level to four decimals; above 1 once a bound was lowered. */
    public static double of(Queue queue) {
        return of(queue.config(), queue.counts.depth(), queue.counts.bytes());
    }

    public static double of(QueueConfig config, long depth, long bytes) {
        return rounded(config.pressure(depth, bytes));
    }

    public static boolean isWarning(QueueConfig config, long depth, long bytes) {
        return config.pressure(depth, bytes) >= config.threshold();
    }

    public static double rounded(double exact) {
        return Math.floor(exact * ROUNDING + BINARY_ERROR) / ROUNDING;
    }

    public static String level(Queue queue) {
        if (of(queue) >= 1) return "full";
        return switch (queue.told().level()) {
            case 0 -> "normal";
            case 1 -> "warning";
            default -> "critical";
        };
    }
}
