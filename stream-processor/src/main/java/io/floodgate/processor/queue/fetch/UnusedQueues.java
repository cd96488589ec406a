package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueChange.Abandoned;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.wait.Waiters;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Gives up queues that are unused for long: no job is left in them, not even finished, and no worker waits. */
public final class UnusedQueues implements Entity {
    private static final int SLICE = 200;
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final Queues queues;
    private final Waiters waiters;
    private final Housekeeping housekeeping;
    private final Supplier<PartitionSettings> settings;
    private final Effects out;

    public UnusedQueues(
            Queues queues,
            Waiters waiters,
            Housekeeping housekeeping,
            Supplier<PartitionSettings> settings,
            Effects out) {
        this.queues = queues;
        this.waiters = waiters;
        this.housekeeping = housekeeping;
        housekeeping.register(this::slice);
        this.settings = settings;
        this.out = out;
    }

    private Duration patience() {
        return settings.get().unusedQueue();
    }

    /** Queues may have been unused for longer than is now allowed. */
    @Override
    public void settingsChanged() {
        if (!patience().isZero()) housekeeping.wantBy(out.now().plusMillis(10));
    }

    /** Notes, at the end of a step, when a queue that the step has emptied is looked at. */
    @Override
    public void save() {
        if (patience().isZero()) return;
        for (Queue queue : queues.changed())
            if (queue.isUnused()) housekeeping.wantBy(out.now().plus(patience()));
    }

    /** A waiter has stopped waiting there. */
    void notice(List<String> names) {
        if (patience().isZero()) return;
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null && queue.isUnused())
                housekeeping.wantBy(later(queue.updatedAt().plus(patience())));
        }
    }

    /** One slice; the next follows soon while there is more to give up. */
    private void slice() {
        if (patience().isZero()) return;
        List<Queue> ripe = new ArrayList<>();
        Instant next = null;
        for (Queue queue : queues.all()) {
            if (!queue.isUnused() || waiters.at(queue.name) != null) continue;
            Instant at = later(queue.updatedAt().plus(patience()), queue.limitIsQuietAt());
            if (!at.isAfter(out.now()) && ripe.size() < SLICE) ripe.add(queue);
            else if (next == null || at.isBefore(next)) next = at;
        }
        for (Queue queue : ripe) queues.apply(new Abandoned(), queue);
        if (next != null) housekeeping.wantBy(later(next));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private Instant later(Instant wanted) {
        Instant soonest =
                wanted.isAfter(out.now()) ? out.now().plus(PAUSE) : out.now().plusMillis(10);
        return wanted.isAfter(soonest) ? wanted : soonest;
    }
}
