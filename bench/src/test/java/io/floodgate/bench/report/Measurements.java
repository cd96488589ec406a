package io.floodgate.bench.report;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Measurements for tests. */
final class Measurements {
    private Measurements() {}

    static Measurement of(String name, long units, int seconds, long... micros) {
        Histogram histogram = new Histogram(3);
        for (long each : micros) histogram.recordValue(each);
        return new Measurement(
                name,
                "how",
                "jobs",
                units,
                new MeasuredWindow(0, seconds * 1_000_000_000L),
                histogram,
                Optional.empty(),
                new Errors());
    }
}
