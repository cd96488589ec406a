package io.floodgate.verification.linear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a bounded queue promises: it takes a job if it has fewer unfinished ones than its bound, and hands out the first one
 * that is available. A job keeps its place until it is acked, so that one that is given back has the place that it had.
 *
 * @param entries in the order in which the jobs came
 */
record SmallQueueState(List<Entry> entries) {
    enum Holder {
        NONE,
        WORKER,
        /** A worker that has not got the answer. */
        LOST
    }

    record Entry(int job, Holder holder) {}

    static final SmallQueueState EMPTY = new SmallQueueState(List.of());

    SmallQueueState {
        entries = List.copyOf(entries);
    }

    /** Empty if the operation cannot have been answered so in this state. */
    Optional<SmallQueueState> after(QueueOperation operation, int bound) {
        int job = operation.job();
        return switch (operation.kind()) {
            case ENQUEUED -> entries.size() < bound ? Optional.of(with(job)) : Optional.empty();
            case FULL -> thisIf(entries.size() >= bound);
            case FETCHED ->
                firstAvailable()
                        .filter(first -> entries.get(first).job == job)
                        .map(first -> changed(first, Holder.WORKER));
            case EMPTY -> thisIf(firstAvailable().isEmpty());
            case LOST_FETCH -> firstAvailable().map(first -> changed(first, Holder.LOST));
            case ACKED ->
                entries.contains(new Entry(job, Holder.WORKER)) ? Optional.of(without(job)) : Optional.empty();
            case PRESENT -> thisIf(has(job));
            case ABSENT -> thisIf(!has(job));
        };
    }

    /** All states in which one job was given back whose fetch was lost. */
    List<SmallQueueState> afterReturns() {
        List<SmallQueueState> all = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++)
            if (entries.get(i).holder == Holder.LOST) all.add(changed(i, Holder.NONE));
        return all;
    }

    private Optional<SmallQueueState> thisIf(boolean holds) {
        return holds ? Optional.of(this) : Optional.empty();
    }

    private boolean has(int job) {
        return entries.stream().anyMatch(entry -> entry.job == job);
    }

    private Optional<Integer> firstAvailable() {
        for (int i = 0; i < entries.size(); i++) if (entries.get(i).holder == Holder.NONE) return Optional.of(i);
        return Optional.empty();
    }

    private SmallQueueState with(int job) {
        List<Entry> more = new ArrayList<>(entries);
        more.add(new Entry(job, Holder.NONE));
        return new SmallQueueState(more);
    }

    private SmallQueueState without(int job) {
        return new SmallQueueState(
                entries.stream().filter(entry -> entry.job != job).toList());
    }

    private SmallQueueState changed(int place, Holder holder) {
        List<Entry> changed = new ArrayList<>(entries);
        changed.set(place, new Entry(entries.get(place).job, holder));
        return new SmallQueueState(changed);
    }

    @Override
    public String toString() {
        return entries.stream()
                .map(entry -> entry.job
                        + switch (entry.holder) {
                            case NONE -> "";
                            case WORKER -> " in hand";
                            case LOST -> " in hand of a lost fetch";
                        })
                .collect(Collectors.joining(", ", "[", "]"));
    }
}
