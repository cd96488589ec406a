package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * The jobs that a queue got done in the last hour, in buckets of five minutes, and since midnight UTC. Only buckets in
 * which something happened take memory: most queues of most partitions are quiet.
 */
public final class Throughput {
    private static final int BUCKETS = 12;
    private static final long BUCKET_MS = 300_000L;
    private static final long DAY_MS = 86_400_000L;

    // Positions of the counts in a bucket.
    private static final int NUMBER = 0;
    private static final int COMPLETED = 1;
    private static final int FAILED = 2;
    private static final int RUN_MILLIS = 3;
    private static final int WAIT_MILLIS = 4;
    private static final int DROPPED = 5;
    private static final int WIDTH = 6;

    private static final long[] NO_BUCKETS = {};

    static final Throughput NONE = new Throughput();

    /** Oldest first. */
    private long[] buckets = NO_BUCKETS;

    private long day;
    private long completedToday;
    private long failedToday;
    private RecentRate leaving = new RecentRate();

    boolean isEmpty() {
        return day == 0 && buckets.length == 0 && leaving.isEmpty();
    }

    public void complete(Instant at, Duration ran, Duration waited) {
        int i = bucket(at);
        buckets[i + COMPLETED]++;
        buckets[i + RUN_MILLIS] += ran.toMillis();
        buckets[i + WAIT_MILLIS] += waited.toMillis();
        completedToday++;
    }

    public void fail(Instant at) {
        int i = bucket(at);
        buckets[i + FAILED]++;
        failedToday++;
    }

    /** A job is not in the queue any more, whatever has become of it; one that is retried is. */
    public void leave(Instant at) {
        leaving.add(1, at);
    }

    /** Counts a job that was dropped for another. */
    public void drop(Instant at) {
        int i = bucket(at);
        buckets[i + DROPPED]++;
    }

    /** Returns the start of the bucket of this time, and drops buckets that are older than an hour. */
    private int bucket(Instant at) {
        long today = at.toEpochMilli() / DAY_MS;
        if (today != day) {
            day = today;
            completedToday = 0;
            failedToday = 0;
        }
        long number = at.toEpochMilli() / BUCKET_MS;
        int last = buckets.length - WIDTH;
        if (last >= 0 && buckets[last + NUMBER] == number) return last;
        int from = 0;
        while (from < buckets.length && buckets[from + NUMBER] <= number - BUCKETS) from += WIDTH;
        buckets = Arrays.copyOfRange(buckets, from, buckets.length + WIDTH);
        last = buckets.length - WIDTH;
        buckets[last + NUMBER] = number;
        return last;
    }

    double leavesPerSecond(Instant now) {
        return leaving.perSecond(now);
    }

    /**
     * The ends of runs in the last minutes.
     *
     * @param dropped jobs that were dropped for others
     * @param seconds how long these minutes were; 0 if nothing has happened
     */
    public record Recent(long completed, long failed, long dropped, long seconds) {}

    Recent recent(Instant now) {
        long bucket = now.toEpochMilli() / BUCKET_MS;
        long completed = 0;
        long failed = 0;
        long dropped = 0;
        long since = now.toEpochMilli();
        for (int i = 0; i < buckets.length; i += WIDTH) {
            if (buckets[i + NUMBER] < bucket - 1) continue;
            dropped += buckets[i + DROPPED];
            completed += buckets[i + COMPLETED];
            failed += buckets[i + FAILED];
            since = Math.min(since, buckets[i + NUMBER] * BUCKET_MS);
        }
        return new Recent(completed, failed, dropped, (now.toEpochMilli() - since) / 1_000);
    }

    public record Figures(
            long completedLastHour,
            long failedLastHour,
            long droppedLastHour,
            long completedToday,
            long failedToday,
            long averageRunMillis,
            long averageWaitMillis,
            double perSecond) {}

    Figures at(Instant now) {
        long newest = now.toEpochMilli() / BUCKET_MS;
        long done = 0;
        long bad = 0;
        long dropped = 0;
        long ran = 0;
        long waited = 0;
        for (int i = 0; i < buckets.length; i += WIDTH) {
            if (buckets[i + NUMBER] <= newest - BUCKETS) continue;
            done += buckets[i + COMPLETED];
            bad += buckets[i + FAILED];
            dropped += buckets[i + DROPPED];
            ran += buckets[i + RUN_MILLIS];
            waited += buckets[i + WAIT_MILLIS];
        }
        boolean today = now.toEpochMilli() / DAY_MS == day;
        return new Figures(
                done,
                bad,
                dropped,
                today ? completedToday : 0,
                today ? failedToday : 0,
                done == 0 ? 0 : ran / done,
                done == 0 ? 0 : waited / done,
                Math.round(done / 36.0) / 100.0);
    }

    void write(BinaryOut out) {
        out.number(day).number(completedToday).number(failedToday);
        out.u8(buckets.length / WIDTH);
        for (long figure : buckets) out.number(figure);
        leaving.write(out);
    }

    static Throughput read(BinaryIn in) {
        Throughput t = new Throughput();
        t.day = in.number();
        t.completedToday = in.number();
        t.failedToday = in.number();
        int used = in.u8();
        t.buckets = used == 0 ? NO_BUCKETS : new long[used * WIDTH];
        for (int i = 0; i < t.buckets.length; i++) t.buckets[i] = in.number();
        t.leaving = RecentRate.read(in);
        return t;
    }
}
