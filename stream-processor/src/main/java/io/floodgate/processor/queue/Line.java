package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.SortedIds;

/** Who waits at one queue, by number: for a job, or only to be told of one. The queue itself may never have been used. */
final class Line {
    final String queue;
    private final SortedIds fetches = new SortedIds();
    private final SortedIds watches = new SortedIds();

    Line(String queue) {
        this.queue = queue;
    }

    private SortedIds of(boolean watch) {
        return watch ? watches : fetches;
    }

    void add(Waiter waiter) {
        of(waiter.watch()).add(waiter.number(), 0, 0);
    }

    void remove(Waiter waiter) {
        of(waiter.watch()).remove(waiter.number(), 0, 0);
    }

    boolean isEmpty(boolean watch) {
        return of(watch).isEmpty();
    }

    /** The one who has waited longest; there must be one. */
    long first(boolean watch) {
        return of(watch).firstNumber();
    }

    int size() {
        return fetches.size() + watches.size();
    }
}
