package io.floodgate.processor.topology;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time that the steps of a planned stop may take together. Each ends by itself while the cluster answers; without
 * it, each would wait for its own time-out. A step that takes long is logged while it is awaited.
 */
final class StopBudget {
    private static final Logger LOG = LoggerFactory.getLogger(StopBudget.class);
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private final Executor later;
    private final long end;

    /**
     * @param nanos a clock like {@code System.nanoTime()}
     * @param later runs what it gets after a while
     */
    StopBudget(Duration whole, LongSupplier nanos, Executor later) {
        this.nanos = nanos;
        this.later = later;
        end = nanos.getAsLong() + whole.toNanos();
    }

    static StopBudget of(Duration whole) {
        return new StopBudget(
                whole, System::nanoTime, CompletableFuture.delayedExecutor(QUIET.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * @param what is waited for
     * @param most for this step, of what is left
     * @param step gets how long it may take
     */
    void spend(String what, Duration most, Consumer<Duration> step) {
        Duration left = Duration.ofNanos(Math.max(0, end - nanos.getAsLong()));
        Duration time = left.compareTo(most) < 0 ? left : most;
        AtomicBoolean over = new AtomicBoolean();
        later.execute(() -> {
            if (!over.get()) LOG.info("The stop waits for {}, for {} at most.", what, time);
        });
        try {
            step.accept(time);
        } finally {
            over.set(true);
        }
    }
}
