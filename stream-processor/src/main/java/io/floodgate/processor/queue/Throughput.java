package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

/**
 * What a queue got done in the last hour, in buckets of five minutes, and since midnight UTC. Only buckets in which
 * something happened take any room: most queues of most logs are quiet.
 */
final class Throughput {
    private static final int BUCKETS = 12;
    static final long BUCKET_MS = 300_000L;
    private static final long DAY_MS = 86_400_000L;

    // What stands where in a bucket.
    private static final int NUMBER = 0;
    private static final int COMPLETED = 1;
    private static final int FAILED = 2;
    private static final int RUN_MILLIS = 3;
    private static final int WAIT_MILLIS = 4;
    private static final int WIDTH = 5;

    private static final long[] NO_BUCKETS = {};

    static final Throughput NONE = new Throughput();

    /** Oldest first. */
    private long[] buckets = NO_BUCKETS;

    private long day;
    private long completedToday;
    private long failedToday;

    boolean isEmpty() {
        return day == 0 && buckets.length == 0;
    }

    void complete(Instant at, Duration ran, Duration waited) {
        int i = bucket(at);
        buckets[i + COMPLETED]++;
        buckets[i + RUN_MILLIS] += ran.toMillis();
        buckets[i + WAIT_MILLIS] += waited.toMillis();
        completedToday++;
    }

    void fail(Instant at) {
        int i = bucket(at);
        buckets[i + FAILED]++;
        failedToday++;
    }

    /** Where the bucket of this time begins; what is older than an hour makes room for it. */
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

    /** How many leave the queue in a second, by the last minutes; 0 if none did. */
    double drainsPerSecond(Instant now) {
        long bucket = now.toEpochMilli() / BUCKET_MS;
        long left = 0;
        long since = now.toEpochMilli();
        for (int i = 0; i < buckets.length; i += WIDTH) {
            if (buckets[i + NUMBER] < bucket - 1) continue;
            left += buckets[i + COMPLETED] + buckets[i + FAILED];
            since = Math.min(since, buckets[i + NUMBER] * BUCKET_MS);
        }
        return left * 1_000.0 / Math.max(1_000, now.toEpochMilli() - since);
    }

    record Figures(
            long completedLastHour,
            long failedLastHour,
            long completedToday,
            long failedToday,
            long averageRunMillis,
            long averageWaitMillis,
            double perSecond) {}

    Figures at(Instant now) {
        long newest = now.toEpochMilli() / BUCKET_MS;
        long done = 0;
        long bad = 0;
        long ran = 0;
        long waited = 0;
        for (int i = 0; i < buckets.length; i += WIDTH) {
            if (buckets[i + NUMBER] <= newest - BUCKETS) continue;
            done += buckets[i + COMPLETED];
            bad += buckets[i + FAILED];
            ran += buckets[i + RUN_MILLIS];
            waited += buckets[i + WAIT_MILLIS];
        }
        boolean today = now.toEpochMilli() / DAY_MS == day;
        return new Figures(
                done,
                bad,
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
    }

    static Throughput read(BinaryIn in) {
        Throughput t = new Throughput();
        t.day = in.number();
        t.completedToday = in.number();
        t.failedToday = in.number();
        int used = in.u8();
        long[][] read = new long[used][WIDTH];
        for (long[] bucket : read) for (int i = 0; i < WIDTH; i++) bucket[i] = in.number();
        // The first version stored them in the order of a ring.
        Arrays.sort(read, Comparator.comparingLong(bucket -> bucket[NUMBER]));
        t.buckets = used == 0
                ? NO_BUCKETS
                : Arrays.stream(read).flatMapToLong(Arrays::stream).toArray();
        return t;
    }
}
