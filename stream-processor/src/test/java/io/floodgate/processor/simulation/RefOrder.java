package io.floodgate.processor.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The order keys of the {@link Reference}: who may start is looked for among all jobs of the queue. */
final class RefOrder {
    static final List<String> KEYS = List.of("k1", "k2");
    private static final long NEVER = Long.MAX_VALUE;

    /** @param blockAtMost from the first failure on; {@link Long#MAX_VALUE} for ever */
    record Failing(boolean skips, long blockAtMost) {
        static final Failing BLOCKS = new Failing(false, NEVER);
    }

    private final Reference reference;
    private final Map<String, Failing> decided = new TreeMap<>();
    private Set<RefJob> couldStart = Set.of();
    private long numbers;

    RefOrder(Reference reference) {
        this.reference = reference;
    }

    void decide(String queue, Failing failing) {
        decided.put(queue, failing);
    }

    /** The queue is deleted. */
    void forget(String queue) {
        decided.remove(queue);
    }

    /** The job has come into its queue. */
    void come(RefJob job) {
        job.number = ++numbers;
        job.isPassed = false;
        job.holdsUntil = NEVER;
    }

    void fail(RefJob job, long now) {
        if (job.wish.orderKey() == null) return;
        Failing failing = decided.getOrDefault(job.queue, Failing.BLOCKS);
        boolean isFirst = job.holdsUntil == NEVER && failing.blockAtMost != NEVER;
        if (!failing.skips && isFirst) job.holdsUntil = now + failing.blockAtMost;
        job.isPassed = failing.skips || job.holdsUntil <= now;
    }

    private static boolean isInLine(RefJob job) {
        return job.wish.orderKey() != null
                && !job.isTerminal()
                && (job.is("available") || job.is("active") || !job.isPassed);
    }

    /** Whether another job has to end first. */
    boolean isHeld(RefJob job) {
        if (!isInLine(job) || job.is("active")) return false;
        return reference
                .live(job.queue)
                .filter(other -> other != job && isInLine(other))
                .filter(other -> Objects.equals(other.wish.orderKey(), job.wish.orderKey()))
                .filter(other -> other.wish.tenant().equals(job.wish.tenant()))
                .anyMatch(other -> other.is("active") || other.number < job.number);
    }

    /** Queues with jobs that were held until now. */
    List<String> takeReleased() {
        List<String> queues = new ArrayList<>();
        Set<RefJob> canStart = reference.jobs.stream()
                .filter(job -> job.wish.orderKey() != null && job.is("available") && !isHeld(job))
                .collect(Collectors.toSet());
        for (RefJob job : canStart) if (!couldStart.contains(job) && !queues.contains(job.queue)) queues.add(job.queue);
        couldStart = canStart;
        return queues;
    }
}
