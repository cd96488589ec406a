package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Takes down what many callers do. */
public final class Recorder {
    private final Queue<Step> steps = new ConcurrentLinkedQueue<>();

    public void add(Step step) {
        steps.add(step);
    }

    public List<Step> steps() {
        return new ArrayList<>(steps);
    }
}
