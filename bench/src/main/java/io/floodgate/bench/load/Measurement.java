package io.floodgate.bench.load;

import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * What a run has shown.
 *
 * @param name the run
 * @param how what it did, for readers
 * @param unit what is counted: jobs, echoes …
 * @param micros latencies in microseconds
 * @param server what the server used, if it was watched
 */
public record Measurement(
        String name,
        String how,
        String unit,
        long units,
        MeasuredWindow window,
        Histogram micros,
        Optional<ServerUse> server,
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
        return server.isEmpty() || units == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(server.get().cpuSeconds() * 1e6 / units);
    }

    /** How often the server's threads took turns on a core for each unit. */
    public OptionalDouble switchesPerUnit() {
        return server.isEmpty() || units == 0 || server.get().switches() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) server.get().switches() / units);
    }

    public long samples() {
        return micros.getTotalCount();
    }
}
