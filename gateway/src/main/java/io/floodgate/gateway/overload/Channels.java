package io.floodgate.gateway.overload;

/** Decides when a buffer that empties by itself counts as full, and how long to wait then. */
public final class Channels {
    /** Fill level from which requests are rejected. */
    static final double FULL = 0.8;

    private static final long SHORTEST_SECONDS = 5;
    private static final long LONGEST_SECONDS = 10;

    private Channels() {}

    /** Longer, the fuller it is. */
    public static long seconds(double saturation) {
        double beyond = (saturation - FULL) / (1 - FULL);
        return Math.clamp(
                SHORTEST_SECONDS + Math.round(beyond * (LONGEST_SECONDS - SHORTEST_SECONDS)),
                SHORTEST_SECONDS,
                LONGEST_SECONDS);
    }
}
