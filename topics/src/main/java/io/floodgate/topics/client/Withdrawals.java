package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells logs which waiters need not wait any more. One record to a partition is under way at a time; what comes meanwhile goes
 * with the next one. What cannot be appended is tried again for a while. After that, waiters end by their time, and jobs
 * they were handed come back by the rules for heartbeats.
 */
final class Withdrawals {
    /** Most withdrawals in one record. */
    static final int MOST_AT_ONCE = 1_000;
    /** Most withdrawals that wait for one partition; the latest are kept. */
    static final int MOST_WAITING = 10_000;

    static final int MOST_TRIES = 60;
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);

    interface Appender {
        /** Appends a record, which may take a moment. The callback gets null when it is done. */
        void append(PartitionId log, Withdraw command, Consumer<@Nullable Exception> appended);

        /**
         * Acts on another thread after a while: a thread that asks for a withdrawal must not wait, and may be Kafka's.
         */
        void later(Duration delay, Runnable action);
    }

    private static final class Line {
        private final Deque<Long> waiting = new ArrayDeque<>();
        private boolean busy;
        private int failures;
    }

    private final String requester;
    private final Appender appender;
    private final Map<PartitionId, Line> lines = new HashMap<>();
    private final LongAdder dropped = new LongAdder();
    private boolean held;

    Withdrawals(String requester, Appender appender) {
        this.requester = requester;
        this.appender = appender;
    }

    void add(PartitionId log, long correlation) {
        List<Long> next;
        synchronized (this) {
            Line line = lines.computeIfAbsent(log, l -> new Line());
            line.waiting.add(correlation);
            if (line.waiting.size() > MOST_WAITING) {
                line.waiting.poll();
                dropped.increment();
            }
            if (held || line.busy) return;
            next = next(line);
        }
        appender.later(Duration.ZERO, () -> append(log, next));
    }

    /** Returns how many withdrawals wait for the fullest partition, as a part of those that may. */
    synchronized double saturation() {
        int most = lines.values().stream()
                .mapToInt(line -> line.waiting.size())
                .max()
                .orElse(0);
        return (double) most / MOST_WAITING;
    }

    /** Withdrawals that were given up. */
    long dropped() {
        return dropped.sum();
    }

    /** Collects withdrawals from now on, until {@link #flush}. */
    synchronized void hold() {
        held = true;
    }

    /** Everything that was collected is appended, on this thread. */
    void flush() {
        while (true) {
            PartitionId log;
            List<Long> next;
            synchronized (this) {
                var some = lines.entrySet().stream()
                        .filter(line -> !line.getValue().waiting.isEmpty())
                        .findFirst();
                if (some.isEmpty()) return;
                log = some.get().getKey();
                next = next(some.get().getValue());
            }
            append(log, next);
        }
    }

    private static List<Long> next(Line line) {
        List<Long> next = new ArrayList<>();
        while (next.size() < MOST_AT_ONCE && !line.waiting.isEmpty()) next.add(line.waiting.poll());
        line.busy = true;
        return next;
    }

    private void append(PartitionId log, List<Long> correlations) {
        appender.append(log, new Withdraw(requester, correlations), failure -> appended(log, correlations, failure));
    }

    private void appended(PartitionId log, List<Long> correlations, @Nullable Exception failure) {
        if (failure == null) {
            proceed(log, true);
        } else {
            putBack(log, correlations, failure);
            appender.later(PAUSE, () -> proceed(log, false));
        }
    }

    private synchronized void putBack(PartitionId log, List<Long> correlations, Exception failure) {
        Line line = Objects.requireNonNull(lines.get(log));
        line.failures++;
        if (line.failures > MOST_TRIES) {
            dropped.add(correlations.size());
            LOG.warn(
                    "{} takes no withdrawals ({}): {} fetches are left to their time limits.",
                    log,
                    failure.toString(),
                    correlations.size());
        } else {
            for (int i = correlations.size() - 1; i >= 0; i--) line.waiting.addFirst(correlations.get(i));
        }
    }

    private void proceed(PartitionId log, boolean well) {
        List<Long> next;
        synchronized (this) {
            Line line = Objects.requireNonNull(lines.get(log));
            if (well) line.failures = 0;
            line.busy = false;
            if (held) return;
            if (line.waiting.isEmpty()) {
                lines.remove(log);
                return;
            }
            next = next(line);
        }
        appender.later(Duration.ZERO, () -> append(log, next));
    }
}
