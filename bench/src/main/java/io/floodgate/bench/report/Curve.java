package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;
import java.util.ArrayList;
import java.util.List;

/** The latencies of one run, by percentile: as far to the right as there are samples to tell. */
record Curve(String name, List<Point> points) {
    /** {@code nines} is 1 at 90%, 2 at 99%, 3 at 99.9%; {@code millis} the latency there. */
    record Point(double nines, double millis) {}

    private static final double STEP = 0.05;

    static Curve of(Measurement measurement) {
        List<Point> points = new ArrayList<>();
        if (measurement.samples() == 0) return new Curve(measurement.name(), points);
        // With n samples, nothing is known beyond the percentile that one sample in n exceeds.
        double last = Math.log10((double) measurement.samples());
        for (double nines = 0; nines <= last; nines += STEP) points.add(point(measurement, nines));
        points.add(new Point(last, measurement.maxMillis()));
        return new Curve(measurement.name(), points);
    }

    private static Point point(Measurement measurement, double nines) {
        double percentile = 100 * (1 - Math.pow(10, -nines));
        return new Point(nines, measurement.millisAt(percentile));
    }
}
