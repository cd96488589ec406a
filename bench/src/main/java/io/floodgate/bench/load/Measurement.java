package io.floodgate.bench.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The figures of one part of a load, or of one step of it.
 *
 * @param unit what is counted: jobs, echoes, …
 * @param micros latencies in microseconds
 * @param server the CPU time of the server; zero if it was not watched
 */
public record Measurement(
        String name, String unit, long units, Duration time, Histogram micros, Duration server, Errors errors) {
    public double perSecond() {
        return units / (time.toNanos() / 1e9);
    }

    /** Returns the latency in milliseconds that this percentage of all stayed below. */
    public double millisAt(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    /** Returns whether there are enough samples for this percentile: with less than one beyond it, it would be the maximum. */
    public boolean hasPercentile(double percentile) {
        return percentile == 100 ? samples() > 0 : samples() * (100 - percentile) >= 100 - 1e-6;
    }

    public long samples() {
        return micros.getTotalCount();
    }

    /** Returns the CPU time of the server for each unit, in microseconds; 0 if there is none. */
    public double cpuMicrosPerUnit() {
        return units == 0 ? 0 : server.toNanos() / 1e3 / units;
    }
}
