package io.floodgate.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Jobs that wait in a send buffer, and the number that travels together. Guarded by the send buffer. */
final class BufferedJobs {
    private final ProducerConfig.Batching config;
    /** A set, so that one that is given up leaves at once, wherever it stands. */
    private final LinkedHashSet<PendingSend> entries = new LinkedHashSet<>();
    /** Entries with a caller that waits, the first deadline first. Some callers may have left. */
    private final PriorityQueue<PendingSend> awaited =
            new PriorityQueue<>(Comparator.comparingLong(PendingSend::deadline));

    private long bytes;
    private int most;
    private int singly;
    /** Entries that have come since they were last looked through. */
    private int latest;

    private boolean hurried;

    BufferedJobs(ProducerConfig.Batching config) {
        this.config = config;
        most = config.jobs();
    }

    void add(PendingSend entry) {
        entries.addLast(entry);
        bytes += entry.bytes();
        latest++;
        if (!entry.isKept()) awaited.add(entry);
    }

    /** Takes out those whose deadline has passed. */
    List<PendingSend> takeOverdue(long now) {
        List<PendingSend> overdue = new ArrayList<>();
        while (firstDeadline() <= now) {
            PendingSend entry = awaited.remove();
            entries.remove(entry);
            bytes -= entry.bytes();
            overdue.add(entry);
        }
        return overdue;
    }

    /** Returns when the first of the waiting jobs gives up; {@link Long#MAX_VALUE} if none does. */
    long firstDeadline() {
        while (!awaited.isEmpty() && !entries.contains(awaited.element())) awaited.remove();
        return awaited.isEmpty() ? Long.MAX_VALUE : awaited.element().deadline();
    }

    /** Puts jobs in front of all others, in this order. */
    void putBack(List<PendingSend> again) {
        for (PendingSend entry : again.reversed()) {
            entries.addFirst(entry);
            bytes += entry.bytes();
            if (!entry.isKept()) awaited.add(entry);
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void hurry() {
        hurried = true;
    }

    /** Returns how long the first job may wait for company, in nanoseconds. */
    long linger(long now) {
        PendingSend first = entries.isEmpty() ? null : entries.getFirst();
        long linger = Time.nanos(config.linger());
        if (first == null || linger == 0 || hurried || first.isTried() || first.isWhole()) return 0;
        if (entries.size() >= most || bytes >= config.bytes() || singly > 0) return 0;
        return Math.max(0, first.added + linger - now);
    }

    /** The next batch; empty if no job waits any more. */
    List<PendingSend> take(boolean single) {
        List<PendingSend> pendingCommand = new ArrayList<>();
        int jobs = single || singly > 0 ? 1 : most;
        long size = 0;
        while (!entries.isEmpty() && pendingCommand.size() < jobs) {
            PendingSend next = entries.getFirst();
            if (!pendingCommand.isEmpty() && (next.isWhole() || size + next.bytes() > config.bytes())) break;
            entries.removeFirst();
            bytes -= next.bytes();
            if (next.ended.isDone()) continue;
            size += next.bytes();
            pendingCommand.add(next);
            if (next.isWhole()) break;
        }
        singly = Math.max(0, singly - pendingCommand.size());
        return pendingCommand;
    }

    List<PendingSend> takeIf(Predicate<PendingSend> wanted) {
        return take(entries.iterator(), entries.size(), wanted);
    }

    /**
     * Takes some of the jobs that have come since the last time: a scan of very many for each new one would be slow.
     */
    List<PendingSend> takeLatestIf(Predicate<PendingSend> wanted) {
        return take(entries.reversed().iterator(), latest, wanted).reversed();
    }

    private List<PendingSend> take(Iterator<PendingSend> all, int most, Predicate<PendingSend> wanted) {
        latest = 0;
        List<PendingSend> taken = new ArrayList<>();
        for (int i = 0; i < most && all.hasNext(); i++) {
            PendingSend entry = all.next();
            if (!wanted.test(entry)) continue;
            all.remove();
            bytes -= entry.bytes();
            taken.add(entry);
        }
        return taken;
    }

    /** Lets more jobs travel together, since the last batch was stored. */
    void grow() {
        most = Math.min(config.jobs(), 2 * most);
    }

    /** Lets fewer jobs travel together, since {@code sent} jobs did not fit. */
    void shrink(int sent) {
        most = Math.max(1, Math.min(most, sent) / 2);
    }

    /** One of the first ones is rejected: each gets its own answer. */
    void singly(int first) {
        singly = first;
    }
}
