package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch that would be too much for one step of a partition. Its parts are held one after the other, so that others find their
 * way in between, and stored together once all of them are.
 */
final class BatchInParts {
    private static final Duration DROPPED_WITHIN = Duration.ofSeconds(10);

    private final Partitions.Owner home;
    private final boolean madeIds;
    private final LongSupplier nanos;
    private long deadline;
    private final List<Long> held = new ArrayList<>();
    private final List<byte[]> tails = new ArrayList<>();
    private @Nullable Long room;

    /**
     * @param home decides about the batch; its patience counts from when the parts are sent: they may have waited for room
     *     before
     * @param nanos a clock like {@code System.nanoTime()}
     */
    BatchInParts(Partitions.Owner home, boolean madeIds, LongSupplier nanos) {
        this.home = home;
        this.madeIds = madeIds;
        this.nanos = nanos;
    }

    static boolean isNeeded(int jobs, long bytes) {
        return jobs > Limits.JOBS_OF_A_PART || bytes > Limits.BYTES_OF_A_PART;
    }

    /** Takes the name of the reservation into which all of the batch fits. */
    void in(long heldRoom) {
        room = heldRoom;
        held.add(heldRoom);
    }

    /** The name of what is held, in the first line of the reply. */
    static long name(List<byte[]> lines) {
        return HoldBatch.name(lines.getFirst()).orElseThrow();
    }

    /**
     * Stores the jobs, and returns what the partition adds to each.
     *
     * @param loads gets how full the queues become
     */
    List<byte[]> store(List<byte[]> jobs, QueueLoads loads) throws CommandFailed, RejectedException {
        deadline = nanos.getAsLong() + home.all().patience().toNanos();
        try {
            for (int first = 0; first < jobs.size(); ) {
                int end = end(jobs, first);
                hold(first, jobs.subList(first, end), loads);
                first = end;
            }
        } catch (RejectedException | CommandFailed failure) {
            drop();
            // Whatever has become of the last part: without an end, none of them is stored.
            if (failure instanceof NoReply) throw new CommandNotSent("a part of the batch had no answer", failure);
            throw failure;
        }
        withinPatience().ask(new EndHold(held, true));
        return tails;
    }

    /** Returns where the part ends that begins here: it has one job at least. */
    private static int end(List<byte[]> jobs, int first) {
        int end = first;
        long bytes = 0;
        do bytes += jobs.get(end++).length;
        while (end < jobs.size()
                && end - first < Limits.JOBS_OF_A_PART
                && bytes + jobs.get(end).length <= Limits.BYTES_OF_A_PART);
        return end;
    }

    private void hold(int first, List<byte[]> jobs, QueueLoads loads) throws CommandFailed, RejectedException {
        List<byte[]> lines = withinPatience().ask(new HoldBatch(first, jobs, madeIds, room));
        Optional<Long> name = HoldBatch.name(lines.getFirst());
        // Nothing is held of a part whose jobs are all duplicates that are to be ignored.
        name.ifPresent(held::add);
        tails.addAll(loads.hear(name.isPresent() ? lines.subList(1, lines.size()) : lines, jobs.size()));
    }

    private void drop() {
        if (held.isEmpty()) return;
        // The reply is not needed: jobs that it does not drop expire by themselves.
        var unused = home.within(DROPPED_WITHIN).send(new EndHold(held, false));
    }

    private Partitions.Owner withinPatience() {
        return home.within(Duration.ofNanos(Math.max(0, deadline - nanos.getAsLong())));
    }
}
