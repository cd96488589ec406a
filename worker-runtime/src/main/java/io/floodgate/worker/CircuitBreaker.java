package io.floodgate.worker;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stops trying what keeps failing. Whoever wants to try asks first, and says afterwards how it went.
 *
 * <pre>
 *            failures in a row                rest is over
 *   CLOSED ────────────────────▶  OPEN  ─────────────────────▶ HALF_OPEN (one try at a time)
 *      ▲                            ▲                               │  │
 *      │                            └────────────── failure ────────┘  │
 *      └─────────────────────── successes in a row ────────────────────┘
 * </pre>
 */
final class CircuitBreaker {
    enum State {
        CLOSED(0),
        HALF_OPEN(1),
        OPEN(2);

        private final int level;

        State(int level) {
            this.level = level;
        }

        /** What a gauge shows. */
        int level() {
            return level;
        }
    }

    private final BreakerSettings settings;
    private final Supplier<Duration> clock;
    private @Nullable Duration openedAt;
    private boolean probing;
    private int failures;
    private int successes;

    CircuitBreaker(BreakerSettings settings, Supplier<Duration> clock) {
        this.settings = settings;
        this.clock = clock;
    }

    /** Whether to try now: then {@link #succeeded}, {@link #failed} or {@link #saysNothing} follows. */
    synchronized boolean tryPass() {
        return switch (state()) {
            case CLOSED -> true;
            case OPEN -> false;
            case HALF_OPEN -> {
                boolean passes = !probing;
                probing = true;
                yield passes;
            }
        };
    }

    synchronized void succeeded() {
        failures = 0;
        if (state() != State.HALF_OPEN) return;
        probing = false;
        if (++successes >= settings.successes()) openedAt = null;
    }

    /** Whether this failure has opened it. */
    synchronized boolean failed() {
        State before = state();
        if (before == State.OPEN) return false;
        failures++;
        if (before == State.CLOSED && (settings.failures() == 0 || failures < settings.failures())) return false;
        openedAt = clock.get();
        probing = false;
        successes = 0;
        return true;
    }

    /** The try has ended, and whether it would have succeeded is not known. */
    synchronized void saysNothing() {
        probing = false;
    }

    synchronized State state() {
        if (openedAt == null) return State.CLOSED;
        return restLeft().isZero() ? State.HALF_OPEN : State.OPEN;
    }

    /** How long it stays open; nothing if it is not. */
    synchronized Duration restLeft() {
        if (openedAt == null) return Duration.ZERO;
        Duration left = openedAt.plus(settings.rest()).minus(clock.get());
        return left.isNegative() ? Duration.ZERO : left;
    }
}
