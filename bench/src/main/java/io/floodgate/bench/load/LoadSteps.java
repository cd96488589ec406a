package io.floodgate.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Latencies that operations measure by themselves, by the name of the step. */
public final class LoadSteps {
    private final MeasuredWindow window;
    private final Map<String, Samples> samples = new ConcurrentSkipListMap<>();

    LoadSteps(MeasuredWindow window) {
        this.window = window;
    }

    /** Adds a step that began then, in {@code System.nanoTime()}, and ends now. */
    public void took(String step, long from) {
        took(step, from, System.nanoTime());
    }

    public void took(String step, long from, long to) {
        samples.computeIfAbsent(step, name -> new Samples(window)).add(from, to, 1);
    }

    List<Measurement> measured(String part, Duration time) {
        return samples.entrySet().stream()
                .map(step -> step.getValue()
                        .measured("%s: %s".formatted(part, step.getKey()), "calls", time, Duration.ZERO, new Errors()))
                .toList();
    }
}
