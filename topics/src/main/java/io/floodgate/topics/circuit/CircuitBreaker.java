package io.floodgate.topics.circuit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Stops trying what keeps failing. A caller asks before it tries, and reports the outcome afterwards.
 *
 * <pre>
 *            failures in a row                rest is over
 *   CLOSED ────────────────────▶  OPEN  ─────────────────────▶ HALF_OPEN (one try at a time)
 *      ▲                            ▲                               │  │
 *      │                            └────────────── failure ────────┘  │
 *      └─────────────────────── successes in a row ────────────────────┘
 * </pre>
 */
public final class CircuitBreaker {
    private final BreakerSettings settings;
    private final LongSupplier nanos;
    private final DoubleSupplier spread;
    private final Consumer<BreakerState> told;
    private boolean closed = true;
    private boolean probing;
    private long probe;
    private long restEnds;
    private int failures;
    private int successes;

    /**
     * @param nanos a clock like {@code System.nanoTime()}
     * @param spread by which part of it a rest is longer, so that those who failed together do not return together
     * @param told gets each change, on the thread that made it; it is half open once a caller tries
     */
    public CircuitBreaker(
            BreakerSettings settings, LongSupplier nanos, DoubleSupplier spread, Consumer<BreakerState> told) {
        this.settings = settings;
        this.nanos = nanos;
        this.spread = spread;
        this.told = told;
    }

    public CircuitBreaker(BreakerSettings settings, LongSupplier nanos) {
        this(settings, nanos, () -> 0, state -> {});
    }

    /** Returns whether to try now: then {@link #succeeded}, {@link #failed} or {@link #saysNothing} follows. */
    public boolean tryPass() {
        synchronized (this) {
            if (closed) return true;
            if (probing || nanosLeft() > 0) return false;
            probing = true;
            probe++;
        }
        told.accept(BreakerState.HALF_OPEN);
        return true;
    }

    /** Notes a success. A try from before the breaker opened says nothing. */
    public void succeeded() {
        synchronized (this) {
            failures = 0;
            if (closed || nanosLeft() > 0) return;
            probing = false;
            if (++successes < settings.successes()) return;
            closed = true;
        }
        told.accept(BreakerState.CLOSED);
    }

    /**
     * A success outside of the admitted tries: of a caller that tries in any state, or of a probe. That ends its rest.
     */
    public void isBack() {
        synchronized (this) {
            if (!closed && nanosLeft() > 0) restEnds = nanos.getAsLong();
        }
        succeeded();
    }

    /** Returns whether this failure has opened it. */
    public boolean failed() {
        return failed(Duration.ZERO);
    }

    /** @param asked for how long it wants to be left alone, if that is longer than the rest */
    public boolean failed(Duration asked) {
        synchronized (this) {
            failures++;
            if (closed ? settings.failures() == 0 || failures < settings.failures() : nanosLeft() > 0) return false;
            long least = nanosOf(asked.compareTo(settings.rest()) > 0 ? asked : settings.rest());
            restEnds = nanos.getAsLong() + least + (long) (least * spread.getAsDouble());
            closed = false;
            probing = false;
            successes = 0;
        }
        told.accept(BreakerState.OPEN);
        return true;
    }

    /** The try has ended, and whether it would have succeeded is not known: the next one may find out. */
    public synchronized void saysNothing() {
        probing = false;
    }

    /** The number of the try that is to find out; nothing while none is. A caller that was let through just now asks for its own. */
    public synchronized long probe() {
        return probing ? probe : 0;
    }

    /** The same, of this try: another one may have begun since, and goes on finding out. */
    public synchronized void saysNothing(long ofProbe) {
        if (ofProbe == probe) probing = false;
    }

    public synchronized BreakerState state() {
        if (closed) return BreakerState.CLOSED;
        return nanosLeft() > 0 ? BreakerState.OPEN : BreakerState.HALF_OPEN;
    }

    /** Returns for how long the breaker stays open; zero if it is not. */
    public synchronized Duration restLeft() {
        return closed ? Duration.ZERO : Duration.ofNanos(nanosLeft());
    }

    /** Returns for how long a try has been possible; zero while the breaker is closed, or rests. */
    synchronized Duration restedFor() {
        return closed ? Duration.ZERO : Duration.ofNanos(Math.max(0, nanos.getAsLong() - restEnds));
    }

    /** Returns for how long callers need not ask: until it has rested, and while another caller finds out. */
    public synchronized Duration pause() {
        if (closed) return Duration.ZERO;
        return probing ? settings.rest() : restLeft();
    }

    /** Returns whether the breaker is as if nothing had ever failed. */
    public synchronized boolean isPristine() {
        return closed && failures == 0;
    }

    private long nanosLeft() {
        return Math.max(0, restEnds - nanos.getAsLong());
    }

    /** Returns the nanoseconds; no wait is longer than decades, whatever a server asks for. */
    private static long nanosOf(Duration duration) {
        return Math.min(TimeUnit.NANOSECONDS.convert(duration), Long.MAX_VALUE / 4);
    }
}
