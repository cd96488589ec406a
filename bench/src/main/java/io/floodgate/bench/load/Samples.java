package io.floodgate.bench.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Latencies and work within the window. Safe for any number of threads. */
final class Samples {
    private static final long HIGHEST_MICROS = 3_600_000_000L;

    private final MeasuredWindow window;
    private final Histogram micros = new Histogram(3);
    private long units;

    Samples(MeasuredWindow window) {
        this.window = window;
        micros.setAutoResize(true);
    }

    /** Counts a latency if the operation was due within the window, however late it ended; and work that was done within it. */
    synchronized void add(long due, long done, int work) {
        if (window.contains(due)) micros.recordValue(Math.clamp((done - due) / 1_000, 0, HIGHEST_MICROS));
        if (window.contains(done)) units += work;
    }

    synchronized Measurement measured(String name, String unit, Duration time, Duration server, Errors errors) {
        return new Measurement(name, unit, units, time, micros.copy(), server, errors);
    }
}
