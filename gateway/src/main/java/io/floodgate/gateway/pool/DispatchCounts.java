package io.floodgate.gateway.pool;

import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the jobs of each queue that were handed out within the last minute, and how long they had waited, as this
 * gateway has read it from the events.
 */
public final class DispatchCounts {
    private static final int SLOTS = 6;
    private static final long SLOT_MS = 10_000;
    static final Duration WINDOW = Duration.ofMillis(SLOTS * SLOT_MS);

    /** Most queues; further ones are not counted until others have had no job for a minute. */
    private static final int MOST = 100_000;

    /** @param meanWait in milliseconds, of jobs that were handed out for the first time */
    record Figures(String queue, long count, long meanWait) {}

    private static final class Counts {
        final int[] started = new int[SLOTS];
        final int[] waited = new int[SLOTS];
        final long[] waits = new long[SLOTS];
        long last;

        /** Slots that were passed over are empty. */
        void moveTo(long slot) {
            for (long each = Math.max(last + 1, slot - SLOTS + 1); each <= slot; each++) {
                int i = Math.floorMod(each, SLOTS);
                started[i] = 0;
                waited[i] = 0;
                waits[i] = 0;
            }
            last = Math.max(last, slot);
        }

        Figures figures(String queue) {
            long jobs = Arrays.stream(waited).sum();
            long mean = jobs == 0 ? 0 : Arrays.stream(waits).sum() / jobs;
            return new Figures(queue, Arrays.stream(started).asLongStream().sum(), mean);
        }
    }

    private final Map<String, Counts> byQueue = new HashMap<>();
    private long tidied;

    public void count(OjsEvent event) {
        String queue = event.queue();
        if (queue == null || !event.type().equals("job.started")) return;
        Instant time = Timestamps.parse(event.time()).orElse(null);
        if (time != null) count(queue, slot(time), wait(event.json()));
    }

    private synchronized void count(String queue, long slot, long wait) {
        tidy(slot);
        Counts counts = byQueue.get(queue);
        if (counts == null) {
            if (byQueue.size() >= MOST) return;
            counts = new Counts();
            byQueue.put(queue, counts);
        }
        if (slot <= counts.last - SLOTS) return;
        counts.moveTo(slot);
        int i = Math.floorMod(slot, SLOTS);
        counts.started[i]++;
        if (wait < 0) return;
        counts.waited[i]++;
        counts.waits[i] += wait;
    }

    private void tidy(long slot) {
        if (slot <= tidied) return;
        tidied = slot;
        byQueue.values().removeIf(counts -> counts.last <= slot - SLOTS);
    }

    private static long slot(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), SLOT_MS);
    }

    /** Returns the wait of a first attempt; else -1. */
    private static long wait(byte[] event) {
        MemberWalk members = new MemberWalk(event);
        while (members.next()) {
            if (!members.nameIs("data") || !members.isObject()) continue;
            MemberWalk data = members.inside();
            while (data.next()) if (data.nameIs("queue_time_ms")) return Long.parseLong(data.text());
        }
        return -1;
    }

    synchronized List<Figures> at(Instant now) {
        long slot = slot(now);
        tidy(slot);
        List<Figures> all = new ArrayList<>();
        byQueue.forEach((queue, counts) -> {
            counts.moveTo(slot);
            all.add(counts.figures(queue));
        });
        return all;
    }
}
