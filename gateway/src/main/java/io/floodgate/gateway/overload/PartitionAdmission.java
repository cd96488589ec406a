package io.floodgate.gateway.overload;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.Circuit;
import io.floodgate.topics.client.LatencyTracker;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Admits requests to one partition: it knows the waiting requests, and how far the partition is behind. */
final class PartitionAdmission {
    private static final int FIRST_LIMIT = 100;
    private static final long LONGEST_SECONDS = 30;

    private final PartitionId log;
    private final OverloadSettings.Limits limits;
    private final LatencyTracker latencyTracker;
    private final Circuit circuit;
    private final ReportedLevels steps;
    private final AdmissionQueue line;

    PartitionAdmission(
            PartitionId log,
            OverloadSettings settings,
            LatencyTracker latencyTracker,
            Circuit circuit,
            LongSupplier nanos) {
        this.log = log;
        this.latencyTracker = latencyTracker;
        this.circuit = circuit;
        limits = settings.limits();
        steps = new ReportedLevels(log.toString(), settings.thresholds(), nanos);
        OverloadSettings.Line bounds = settings.line();
        AdaptiveLimit limit = new AdaptiveLimit(
                Math.min(FIRST_LIMIT, bounds.mostBefore()), Math.max(1, bounds.mostBefore()), bounds.target());
        line = new AdmissionQueue(limit, bounds.mostWaiting(), nanos);
    }

    PartitionId log() {
        return log;
    }

    AdmissionQueue line() {
        return line;
    }

    /** Returns how far the partition is behind, as a part of what it may be. */
    double saturation() {
        double records = (double) latencyTracker.recordsBehind() / limits.records();
        return Math.max(records, (double) delay().toNanos() / limits.delay().toNanos());
    }

    private Duration delay() {
        Duration took = latencyTracker.roundTrip();
        Duration silent = isExpectedToAnswer() ? circuit.unansweredFor() : Duration.ZERO;
        return took.compareTo(silent) > 0 ? took : silent;
    }

    /**
     * Returns whether the partition should answer. Before the first processor is there, nothing is behind. While its
     * circuit is open nothing waits for it; and when it is back it is not behind for having been gone.
     */
    private boolean isExpectedToAnswer() {
        return circuit.hasAnswered() && circuit.state() == BreakerState.CLOSED;
    }

    Level level() {
        return steps.look(saturation());
    }

    /** Returns the seconds until the partition has caught up, if no request comes. */
    long seconds() {
        return Math.clamp(delay().toSeconds(), 1, LONGEST_SECONDS);
    }
}
