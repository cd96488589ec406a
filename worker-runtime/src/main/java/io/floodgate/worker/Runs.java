package io.floodgate.worker;

import io.floodgate.topics.JobId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The runs that are not over yet. */
final class Runs {
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> empty = new CompletableFuture<>();
    private volatile boolean closed;

    void add(Run run) {
        runs.add(run);
    }

    void remove(Run run) {
        runs.remove(run);
        signalWhenEmpty();
    }

    List<Run> of(JobId job) {
        return runs.stream().filter(run -> run.job().id().equals(job)).toList();
    }

    List<Run> all() {
        return List.copyOf(runs);
    }

    /** Returns the runs whose leases still matter. */
    List<Run> withLease() {
        return runs.stream().filter(Run::needsLease).toList();
    }

    int size() {
        return runs.size();
    }

    /** Ends when all runs are over; to be called once none can be added. */
    CompletableFuture<Void> whenEmpty() {
        closed = true;
        signalWhenEmpty();
        return empty;
    }

    private void signalWhenEmpty() {
        if (closed && runs.isEmpty()) empty.complete(null);
    }
}
