package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.job.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Room that is kept in queues for the jobs of batches that come in parts. It counts like jobs that are there, and each part
 * takes of it what its jobs need.
 */
public record CapacityReservations(KeyValues entities, Queues queues) implements Entity {
    private static final int VERSION = 1;

    /** The capacity in one queue. */
    record Share(long jobs, long bytes) {
        static final Share NONE = new Share(0, 0);

        /** Returns the capacity that a part of a batch takes, by queue. */
        static Map<String, Share> of(List<Envelope> part) {
            Map<String, Share> shares = new TreeMap<>();
            for (Envelope job : part)
                shares.merge(
                        job.queue(),
                        new Share(1, job.storedBytes()),
                        (a, b) -> new Share(a.jobs + b.jobs, a.bytes + b.bytes));
            return shares;
        }

        boolean covers(Share other) {
            return jobs >= other.jobs && bytes >= other.bytes;
        }

        private Share without(Share other) {
            return new Share(jobs - other.jobs, bytes - other.bytes);
        }
    }

    void keep(PartitionId coordinator, long room, List<QueueDemand> demands) {
        Map<String, Share> shares = new TreeMap<>();
        for (QueueDemand demand : demands) {
            Share share = new Share(demand.jobs(), demand.bytes());
            shares.put(demand.queue(), share);
            count(queues.use(demand.queue()), share, 1);
        }
        entities.put(BatchKeys.kept(coordinator, room), write(shares));
    }

    /** Returns the rest of the reservation, by queue. */
    Map<String, Share> of(PartitionId coordinator, long room) {
        byte[] stored = entities.get(BatchKeys.kept(coordinator, room));
        return stored == null ? new TreeMap<>() : read(stored);
    }

    /** Takes the capacity of jobs that have come. */
    void take(PartitionId coordinator, long room, Map<String, Share> come) {
        if (come.isEmpty()) return;
        Map<String, Share> left = of(coordinator, room);
        come.forEach((name, share) -> {
            left.computeIfPresent(name, (queue, before) -> before.without(share));
            count(queues.use(name), share, -1);
        });
        entities.put(BatchKeys.kept(coordinator, room), write(left));
    }

    /** Releases the rest of the reservation, since no more jobs come. */
    void free(PartitionId coordinator, long room) {
        free(BatchKeys.kept(coordinator, room));
    }

    private void free(byte[] key) {
        byte[] stored = entities.get(key);
        if (stored == null) return;
        entities.delete(key);
        read(stored).forEach((name, share) -> {
            Queue queue = queues.find(name);
            if (queue != null) count(queue, share, -1);
        });
    }

    private void count(Queue queue, Share share, int by) {
        // mutant: kept-room
        queue.counts.expect(by * share.jobs, by * share.bytes);
        queues.changed(queue);
    }

    /** Counts what is kept in this queue. */
    public void expect(String queue, Counts into) {
        entities.scan(BatchKeys.allKept(), Keys.after(BatchKeys.allKept()), (key, value) -> {
            Share share = read(value).getOrDefault(queue, Share.NONE);
            into.expect(share.jobs, share.bytes);
            return true;
        });
    }

    /** Forgets up to {@code most}; true once nothing is left. */
    @Override
    public boolean clear(int most) {
        List<byte[]> some = new ArrayList<>();
        entities.scan(BatchKeys.allKept(), Keys.after(BatchKeys.allKept()), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        some.forEach(this::free);
        return some.size() < most;
    }

    private static byte[] write(Map<String, Share> shares) {
        BinaryOut out = new BinaryOut().u8(VERSION).number(shares.size());
        shares.forEach((queue, share) -> out.text(queue).number(share.jobs).number(share.bytes));
        return out.toBytes();
    }

    private static Map<String, Share> read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "room that is kept for a batch");
        Map<String, Share> shares = new TreeMap<>();
        for (int left = in.integer(); left > 0; left--) shares.put(in.text(), new Share(in.number(), in.number()));
        return shares;
    }
}
