package io.floodgate.gateway.overload;

import io.floodgate.topics.circuit.Circuit;
import java.time.Duration;

/**
 * What a gateway takes for too much. None of it bounds what is stored: queues have bounds of their own.
 *
 * @param circuits when a partition, or Kafka, is left alone
 * @param thresholds from which part of the limits on something happens
 * @param limits what counts as full
 * @param line who may be before a partition, and who waits for that
 */
public record OverloadSettings(
        Circuit.Settings circuits, LevelHysteresis.Thresholds thresholds, Limits limits, Line line) {
    public static final OverloadSettings DEFAULT = new OverloadSettings(
            Circuit.Settings.DEFAULT, LevelHysteresis.Thresholds.DEFAULT, Limits.DEFAULT, Line.DEFAULT);

    /** Buffers count as full from 80% on, at the latest. */
    LevelHysteresis.Thresholds thresholds(Signal one) {
        return one.channel() ? thresholds.rejectingJobsAt(Channels.FULL) : thresholds;
    }

    /**
     * @param records commands that a partition has not executed
     * @param delay how long a partition takes to carry one out
     * @param backlog jobs that wait in all queues together; 0 for any number
     */
    public record Limits(long records, Duration delay, long backlog) {
        public static final Limits DEFAULT = new Limits(5_000, Duration.ofSeconds(5), 0);

        public Limits {
            if (records < 1 || backlog < 0 || !delay.isPositive())
                throw new IllegalArgumentException("limits must be more than nothing");
        }
    }

    /**
     * @param mostBefore new jobs that one partition may have before it, however quick it is; 0 for no bound, and no line
     * @param mostWaiting requests with new jobs that wait for a place before one partition
     * @param longestWait and for how long
     * @param target what a partition takes for a command when it is not too busy
     */
    public record Line(int mostBefore, int mostWaiting, Duration longestWait, Duration target) {
        public static final Line DEFAULT = new Line(1_000, 5_000, Duration.ofSeconds(2), Duration.ofMillis(20));

        public Line {
            if (mostBefore < 0 || mostWaiting < 1 || longestWait.isNegative() || !target.isPositive())
                throw new IllegalArgumentException("a line must have room");
        }
    }
}
