package io.floodgate.verification.hostile;

import java.time.Duration;

/**
 * What a run is like.
 *
 * @param heap of the server, as {@code -Xmx} has it
 * @param duration of ordinary traffic; other attacks take what they need
 * @param isShort whether attacks are cut to a few seconds each
 * @param canaryLimit what the canary's p99 must stay below
 * @param readyWithin after a start, whatever lies behind it
 */
record HostilePlan(
        String heap, Duration duration, boolean isShort, Duration canaryLimit, Duration readyWithin, int partitions) {}
