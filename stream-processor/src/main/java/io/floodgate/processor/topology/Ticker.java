package io.floodgate.processor.topology;

import io.floodgate.topics.LogId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets time pass in one log: when its earliest timer is due, a tick is appended, so that time, too, is a record. An idle
 * log gets none. The wall clock only says when to append; which timers fire is decided by the append time.
 */
final class Ticker {
    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
    /** A tick that did not do it (lost, or stamped by a broker whose clock is behind) is followed by another one. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final LogId log;
    private final LogWriter writer;
    private final ScheduledExecutorService scheduler;
    private final Clock clock;
    private @Nullable Instant due;
    private @Nullable Instant wakeAt;
    private @Nullable ScheduledFuture<?> wake;
    private boolean closed;

    Ticker(LogId log, LogWriter writer, ScheduledExecutorService scheduler, Clock clock) {
        this.log = log;
        this.writer = writer;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** @param ticked the record just carried out was a tick: timers still due need the next one at once */
    synchronized void arm(@Nullable Instant next, boolean ticked) {
        due = next;
        if (next == null || closed) return;
        if (wakeAt != null && !ticked && !wakeAt.isAfter(next)) return; // looks again then, and sleeps on if need be
        if (wakeAt != null && !ticked && !next.isAfter(clock.instant())) return; // a tick is on its way
        wakeAt(next);
    }

    private void wakeAt(Instant time) {
        if (wake != null) wake.cancel(false);
        wakeAt = time;
        long millis = Math.max(0, Duration.between(clock.instant(), time).toMillis());
        wake = scheduler.schedule(this::wake, millis, TimeUnit.MILLISECONDS);
    }

    private synchronized void wake() {
        wakeAt = null;
        if (due == null || closed) return;
        if (due.isAfter(clock.instant())) {
            wakeAt(due);
            return;
        }
        writer.tick(log, failure -> {
            if (failure != null) LOG.warn("A tick of log {} was lost ({}); trying again.", log, failure.toString());
        });
        wakeAt(clock.instant().plus(AGAIN));
    }

    synchronized void close() {
        closed = true;
        if (wake != null) wake.cancel(false);
    }
}
