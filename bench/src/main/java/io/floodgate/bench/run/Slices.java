package io.floodgate.bench.run;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.MeasuredWindow;
import io.floodgate.bench.load.Measurement;
import io.floodgate.bench.load.Samples;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Measures a long background task slice by slice, so that one sees whether it slows down. */
final class Slices {
    private static final MeasuredWindow ALWAYS = new MeasuredWindow(Long.MIN_VALUE / 2, Long.MAX_VALUE / 2);

    private final String name;
    private final String how;
    private final long size;
    private final OptionalLong pid;
    private final Errors errors;
    private final Consumer<Measurement> found;
    private Samples samples;
    private long sliceStart;
    private long inSlice;
    private long before;

    Slices(String name, String how, long size, OptionalLong pid, Errors errors, Consumer<Measurement> found) {
        this.name = name;
        this.how = how;
        this.size = Math.max(1, size);
        this.pid = pid;
        this.errors = errors;
        this.found = found;
        samples = new Samples(ALWAYS);
        sliceStart = System.nanoTime();
    }

    synchronized void done(long start, int units) {
        long now = System.nanoTime();
        samples.add(start, now, units);
        inSlice += units;
        if (inSlice >= size) cut(now, new Errors());
    }

    /** What is left of the last slice, with the errors of the whole. */
    synchronized void end() {
        cut(System.nanoTime(), errors);
    }

    private void cut(long now, Errors shown) {
        if (inSlice == 0 && shown.count() == 0) return;
        String memory = pid.isEmpty() ? "" : "; server memory afterwards: " + ProcessMemory.of(pid.getAsLong());
        found.accept(new Measurement(
                "%s %,d-%,d".formatted(name, before, before + inSlice),
                how + memory,
                "jobs",
                inSlice,
                new MeasuredWindow(sliceStart, now),
                Samples.merge(List.of(samples)),
                Optional.empty(),
                shown));
        before += inSlice;
        inSlice = 0;
        sliceStart = now;
        samples = new Samples(ALWAYS);
    }
}
