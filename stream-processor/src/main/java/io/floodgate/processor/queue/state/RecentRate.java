package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import java.util.Arrays;

/**
 * The number of jobs that come into a queue, or leave it, in a second. The rate is that of the last ten seconds without
 * their two busiest slots: many jobs of one moment, such as those of a bulk operation, are no rate. The rate of few
 * jobs, or of jobs that come in gusts, is that of the last minutes, from the first job on.
 */
final class RecentRate {
    private static final int SLOTS = 5;
    private static final int BUSIEST = 2;
    private static final long SLOT_MS = 2_000;
    private static final long SHORTEST_MS = SLOTS * SLOT_MS;
    private static final long LONGEST_MS = 300_000;

    /** Jobs below which the last seconds give no rate, but chance. */
    private static final long ENOUGH = 10;

    /** The time of the first job; 0 if there was none. */
    private long since;

    private long last;

    /** Jobs since then, without those of the first moment. */
    private long jobs;

    /** Jobs of each slot, by its number modulo their count. */
    private final long[] slots = new long[SLOTS];

    boolean isEmpty() {
        return since == 0;
    }

    void add(long more, Instant at) {
        long now = at.toEpochMilli();
        if (isEmpty() || now - last > LONGEST_MS) {
            since = now;
            jobs = 0;
        }
        for (long slot = Math.max(last / SLOT_MS, now / SLOT_MS - SLOTS) + 1; slot <= now / SLOT_MS; slot++)
            slots[(int) (slot % SLOTS)] = 0;
        slots[(int) (now / SLOT_MS % SLOTS)] += more;
        last = now;
        if (now - since >= SLOT_MS) jobs += more;
        if (now - since <= LONGEST_MS) return;
        jobs /= 2;
        since += (now - since) / 2;
    }

    /** 0 if there was no job for minutes. */
    double perSecond(Instant at) {
        long now = at.toEpochMilli();
        if (isEmpty() || now - last > LONGEST_MS) return 0;
        long[] lately = new long[SLOTS];
        for (long slot = now / SLOT_MS - SLOTS + 1; slot <= last / SLOT_MS; slot++)
            lately[(int) (slot % SLOTS)] = slots[(int) (slot % SLOTS)];
        Arrays.sort(lately);
        long steady = Arrays.stream(lately, 0, SLOTS - BUSIEST).sum();
        long time = (SLOTS - 1) * SLOT_MS + now % SLOT_MS;
        if (steady >= ENOUGH) return steady * 1_000.0 / (time - BUSIEST * SLOT_MS);
        double most = (Arrays.stream(lately).sum() + ENOUGH) * 1_000.0 / time;
        return Math.min(most, (jobs + 1) * 1_000.0 / Math.max(SHORTEST_MS, now - since));
    }

    void write(BinaryOut out) {
        out.number(since);
        if (isEmpty()) return;
        out.number(last).number(jobs);
        for (long slot : slots) out.number(slot);
    }

    static RecentRate read(BinaryIn in) {
        RecentRate rate = new RecentRate();
        rate.since = in.number();
        if (rate.isEmpty()) return rate;
        rate.last = in.number();
        rate.jobs = in.number();
        for (int i = 0; i < SLOTS; i++) rate.slots[i] = in.number();
        return rate;
    }
}
