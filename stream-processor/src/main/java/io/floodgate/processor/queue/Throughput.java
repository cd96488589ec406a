package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Duration;
import java.time.Instant;

/** What a queue got done in the last hour, in twelve buckets of five minutes, and since midnight UTC. */
final class Throughput {
    private static final int BUCKETS = 12;
    private static final long BUCKET_MS = 300_000L;
    private static final long DAY_MS = 86_400_000L;

    private final long[] numbers = new long[BUCKETS];
    private final long[] completed = new long[BUCKETS];
    private final long[] failed = new long[BUCKETS];
    private final long[] runMillis = new long[BUCKETS];
    private final long[] waitMillis = new long[BUCKETS];
    private long day;
    private long completedToday;
    private long failedToday;

    void complete(Instant at, Duration ran, Duration waited) {
        int i = bucket(at);
        completed[i]++;
        runMillis[i] += ran.toMillis();
        waitMillis[i] += waited.toMillis();
        completedToday++;
    }

    void fail(Instant at) {
        failed[bucket(at)]++;
        failedToday++;
    }

    private int bucket(Instant at) {
        long today = at.toEpochMilli() / DAY_MS;
        if (today != day) {
            day = today;
            completedToday = 0;
            failedToday = 0;
        }
        long number = at.toEpochMilli() / BUCKET_MS;
        int i = (int) (number % BUCKETS);
        if (numbers[i] != number) {
            numbers[i] = number;
            completed[i] = 0;
            failed[i] = 0;
            runMillis[i] = 0;
            waitMillis[i] = 0;
        }
        return i;
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
        for (int i = 0; i < BUCKETS; i++) {
            if (numbers[i] <= newest - BUCKETS) continue;
            done += completed[i];
            bad += failed[i];
            ran += runMillis[i];
            waited += waitMillis[i];
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
        int used = 0;
        for (long number : numbers) if (number != 0) used++;
        out.u8(used);
        for (int i = 0; i < BUCKETS; i++) {
            if (numbers[i] == 0) continue;
            out.number(numbers[i])
                    .number(completed[i])
                    .number(failed[i])
                    .number(runMillis[i])
                    .number(waitMillis[i]);
        }
    }

    static Throughput read(BinaryIn in) {
        Throughput t = new Throughput();
        t.day = in.number();
        t.completedToday = in.number();
        t.failedToday = in.number();
        int used = in.u8();
        for (int n = 0; n < used; n++) {
            long number = in.number();
            int i = (int) (number % BUCKETS);
            t.numbers[i] = number;
            t.completed[i] = in.number();
            t.failed[i] = in.number();
            t.runMillis[i] = in.number();
            t.waitMillis[i] = in.number();
        }
        return t;
    }
}
