package io.floodgate.bench.load;

import org.HdrHistogram.Histogram;

/** What was measured within the window. Safe for any number of threads; meant for one, so that no thread waits. */
public final class Samples {
    private static final long HIGHEST_MICROS = 3_600_000_000L;
    private static final int DIGITS = 3;

    private final MeasuredWindow window;
    private final Histogram micros = histogram();
    private long units;

    public Samples(MeasuredWindow window) {
        this.window = window;
    }

    private static Histogram histogram() {
        Histogram histogram = new Histogram(DIGITS);
        histogram.setAutoResize(true);
        return histogram;
    }

    /**
     * Latency is counted for whatever was due within the window, however late it came; work for whatever was done within
     * the window, whenever it began.
     */
    public synchronized void add(long due, long done, int work) {
        if (window.contains(due)) micros.recordValue(Math.min(HIGHEST_MICROS, Math.max(0, (done - due) / 1_000)));
        if (window.contains(done)) units += work;
    }

    public synchronized long units() {
        return units;
    }

    /** All latencies of all samples, as if they had been taken by one. */
    public static Histogram merge(Iterable<Samples> all) {
        Histogram merged = histogram();
        for (Samples samples : all) {
            synchronized (samples) {
                merged.add(samples.micros);
            }
        }
        return merged;
    }
}
