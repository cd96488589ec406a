package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One command, until its record is in the partition and no caller waits for its reply any more. A fetch, whose jobs may
 * be on their way, or a watch is withdrawn then, unless it was answered: the withdrawal has to stand behind it.
 */
final class InFlightCommand {
    private static final int STEPS = 2;
    private static final long NOWHERE = -1;

    private final PartitionId log;
    private final Withdrawals withdrawals;
    private final LatencyTracker latencyTracker;
    private final boolean withdrawable;
    private final long began = System.nanoTime();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile long correlation;
    private volatile long offset = NOWHERE;
    private volatile boolean answered;
    private volatile boolean unsent;

    /** @param withdrawable whether its partition may hold it for long */
    InFlightCommand(PartitionId log, boolean withdrawable, Withdrawals withdrawals, LatencyTracker latencyTracker) {
        this.log = log;
        this.withdrawable = withdrawable;
        this.withdrawals = withdrawals;
        this.latencyTracker = latencyTracker;
    }

    void expects(long number) {
        correlation = number;
    }

    void answered() {
        if (!withdrawable) latencyTracker.took(System.nanoTime() - began);
        answered = true;
        step();
    }

    void abandoned(@Nullable Throwable failure) {
        unsent = failure instanceof CommandNotSent;
        step();
    }

    void settled(OptionalLong at) {
        if (at.isPresent()) {
            // One that its partition may hold says nothing of how far it is.
            if (!withdrawable) latencyTracker.appended(at.getAsLong());
            offset = at.getAsLong();
        }
        step();
    }

    /** A reply may overtake the acknowledgement. */
    private void step() {
        if (steps.incrementAndGet() < STEPS) return;
        if (withdrawable) {
            if (!answered && !unsent) withdraw();
        } else if (offset != NOWHERE) {
            if (answered) latencyTracker.carriedOut(offset);
            else latencyTracker.abandoned();
        }
    }

    void withdraw() {
        withdrawals.add(log, correlation);
    }
}
