package io.floodgate.processor.topology;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.Failing;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets time pass in one partition: when its earliest timer is due, a tick is appended, so that time, too, is a record. An idle
 * log gets none. The clock only says when to append; which timers fire is decided by the append time.
 */
final class Ticker {
    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
    /** A tick that did not do it (lost, or stamped by a broker whose clock is behind) is followed by another one. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** Longest wait: a timer that is due in a century is looked at again before. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final PartitionId log;
    private final PartitionWriter writer;
    private final ScheduledExecutorService scheduler;
    private final BrokerTime broker;
    private final Failing failing = new Failing();
    private @Nullable Instant due;
    private @Nullable Instant wakeAt;
    private @Nullable ScheduledFuture<?> wake;
    /** A tick has been sent and has not come by yet. */
    private boolean underway;

    private boolean closed;

    Ticker(PartitionId log, PartitionWriter writer, ScheduledExecutorService scheduler, BrokerTime broker) {
        this.log = log;
        this.writer = writer;
        this.scheduler = scheduler;
        this.broker = broker;
    }

    /** A record was executed: what time its broker had, and what time it was if that was believed. */
    synchronized void saw(Instant appended, Instant asBelieved) {
        broker.saw(appended, asBelieved);
    }

    /** @param ticked when the record just executed was appended, if it was a tick; null if it was not */
    synchronized void arm(@Nullable Instant next, @Nullable Instant ticked) {
        due = next;
        if (ticked != null) underway = false;
        if (next == null || closed) return;
        if (ticked != null) {
            wakeAt(afterTick(next, ticked));
            return;
        }
        if (wakeAt != null && !wakeAt.isAfter(next)) return; // looks again then, and sleeps on if need be
        if (underway && !next.isAfter(broker.stamp())) return;
        wakeAt(next);
    }

    /**
     * Returns when the next tick is due: at once while the last one left due timers; but a broker whose clock is behind
     * is given the time it lacks.
     */
    private Instant afterTick(Instant next, Instant ticked) {
        Instant now = broker.stamp();
        if (next.isAfter(now) || !next.isAfter(ticked)) return next;
        Duration lacking = Duration.between(ticked, next);
        return now.plus(lacking.compareTo(AGAIN) < 0 ? lacking : AGAIN);
    }

    private void wakeAt(Instant time) {
        if (wake != null) wake.cancel(false);
        wakeAt = time;
        // To the nanosecond: who wakes a part of a millisecond too early would come again and again until it is over.
        Duration rest = Duration.between(broker.stamp(), time);
        long nanos = rest.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : Math.max(0, rest.toNanos());
        wake = scheduler.schedule(this::wake, nanos, TimeUnit.NANOSECONDS);
    }

    private synchronized void wake() {
        wakeAt = null;
        if (due == null || closed) return;
        if (due.isAfter(broker.stamp())) {
            wakeAt(due);
            return;
        }
        underway = true;
        writer.tick(log, broker.truth(), failure -> {
            if (failure == null) failing.ended();
            else if (failing.isNews(failure.getClass().getSimpleName()))
                LOG.warn(
                        "A tick of partition {} could not be appended ({}); trying again until it can.",
                        log,
                        failure.toString());
        });
        wakeAt(broker.stamp().plus(AGAIN));
    }

    synchronized void close() {
        closed = true;
        if (wake != null) wake.cancel(false);
    }
}
