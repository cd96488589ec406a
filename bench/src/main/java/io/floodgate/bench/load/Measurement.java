package io.floodgate.bench.load;

import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What a run has shown.
 *
 * @param name the run
 * @param how what it did, for readers
 * @param unit what is counted: jobs, echoes …
 * @param micros latencies in microseconds
 * @param cpuSeconds the CPU time of the server within the window, if it was watched
 */
public record Measurement(
        String name,
        String how,
        String unit,
        long units,
        Window window,
        Histogram micros,
        OptionalDouble cpuSeconds,
        Errors errors) {

    public double perSecond() {
        return units / (window.length().toNanos() / 1e9);
    }

    /** The latency in milliseconds that this share of all stayed below. */
    public double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** Whether there are enough samples for this percentile: with less than one beyond it, it would be the maximum. */
    public boolean tells(double percentile) {
        return samples() * (100 - percentile) >= 100 - 1e-6;
    }

    public double maxMillis() {
        return micros.getMaxValue() / 1e3;
    }

    /** The server's CPU time for each unit, in microseconds. */
    public OptionalDouble cpuMicrosPerUnit() {
        return cpuSeconds.isEmpty() || units == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(cpuSeconds.getAsDouble() * 1e6 / units);
    }

    public long samples() {
        return micros.getTotalCount();
    }
}
