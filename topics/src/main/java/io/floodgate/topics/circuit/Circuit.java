package io.floodgate.topics.circuit;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The way to a server that gets many requests and answers soon. Its breaker does not wait for time-outs: if no answer
 * has come for a while, each request sent in this time is a failure. Every answer is a success, also one to a request
 * that was sent although the circuit is open.
 */
public final class Circuit {
    /**
     * @param breaker when it opens, and when it closes
     * @param stall the longest time without any answer
     */
    public record Settings(BreakerSettings breaker, Duration stall) {
        public static final Settings DEFAULT =
                new Settings(new BreakerSettings(5, Duration.ofSeconds(30), 2), Duration.ofSeconds(2));

        public static final Settings NEVER = new Settings(BreakerSettings.never(), Duration.ofSeconds(2));

        public Settings {
            if (!stall.isPositive())
                throw new IllegalArgumentException("a stall must be longer than nothing, not " + stall);
        }
    }

    private final BreakerSettings settings;
    private final long stall;
    private final LongSupplier nanos;
    private final CircuitBreaker breaker;
    /** Questions since the last answer, and when the first of them was asked. */
    private int unanswered;

    private long since;
    private long answers;
    private boolean silent;

    /**
     * @param nanos a clock like {@code System.nanoTime()}
     * @param told gets each change
     */
    public Circuit(Settings settings, LongSupplier nanos, Consumer<BreakerState> told) {
        this.settings = settings.breaker();
        stall = settings.stall().toNanos();
        this.nanos = nanos;
        breaker = new CircuitBreaker(settings.breaker(), nanos, () -> 0, told);
    }

    /** Returns whether to ask; to be followed by {@link #asked}. While it is half open, one may at a time. */
    public boolean tryPass() {
        look();
        return breaker.tryPass();
    }

    /**
     * Returns whether a request that may wait for long passes. Such requests decide nothing, so that they need not be
     * the only one.
     */
    public boolean mayWait() {
        return state() != BreakerState.OPEN;
    }

    /**
     * A question is on its way.
     *
     * @return when, for {@link #hasAnsweredSince}
     */
    public synchronized long asked() {
        if (unanswered++ == 0) since = nanos.getAsLong();
        return answers;
    }

    /** Returns whether any question was answered since this one was asked. */
    public synchronized boolean hasAnsweredSince(long asked) {
        return answers != asked;
    }

    /**
     * Returns whether anything was ever answered; before that, silence means only that no processor has started yet.
     */
    public synchronized boolean hasAnswered() {
        return answers > 0;
    }

    public void answered() {
        synchronized (this) {
            answers++;
            unanswered = 0;
            silent = false;
        }
        if (!breaker.isPristine()) breaker.isBack();
    }

    /** A question has ended without an answer, though it had all the time it wanted. */
    public void timedOut() {
        synchronized (this) {
            silent = true;
        }
        breaker.failed();
    }

    /**
     * Returns the number of the question of a caller that was let through just now, if it is the one that finds out;
     * else nothing.
     */
    public long probe() {
        return breaker.probe();
    }

    /**
     * A question has ended in a way that says nothing.
     *
     * @param probe its number, if it was to find out: only then another one may
     */
    public void withdrawn(long probe) {
        if (probe != 0) breaker.saysNothing(probe);
    }

    public BreakerState state() {
        look();
        return breaker.state();
    }

    /** Returns for how long callers need not ask: a second at least, while another caller finds out. */
    public Duration pause() {
        Duration left = breaker.restLeft();
        return left.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : left;
    }

    /** Returns whether the last question has ended in vain, or too many wait for an answer. */
    public boolean isSilent() {
        if (state() != BreakerState.CLOSED) return true;
        synchronized (this) {
            return silent;
        }
    }

    /** Returns for how long requests have been without any answer. */
    public synchronized Duration unansweredFor() {
        return unanswered == 0 ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - since);
    }

    private void look() {
        int failures;
        synchronized (this) {
            if (unanswered == 0 || settings.failures() == 0) return;
            long waited = nanos.getAsLong() - since;
            int most = settings.failures();
            if (breaker.state() != BreakerState.CLOSED) {
                // What was asked while it rested says nothing of how it is afterwards.
                waited = Math.min(waited, breaker.restedFor().toNanos());
                most = 1;
            }
            if (unanswered < most || waited < stall) return;
            failures = most;
            unanswered = 0;
        }
        for (int i = 0; i < failures; i++) breaker.failed();
    }
}
