package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/**
 * How many jobs a queue was offered lately, in buckets as long as those of what it got done: those that it has taken in, that
 * it had no room for, and that wait for room. At its bound a queue takes in what leaves it, however many more are offered.
 */
final class Inflow {
    private static final long BUCKET_MS = Throughput.BUCKET_MS;

    private long bucket;
    private long offered;
    private long offeredBefore;

    boolean isEmpty() {
        return bucket == 0;
    }

    void add(long jobs, Instant at) {
        long current = at.toEpochMilli() / BUCKET_MS;
        if (current != bucket) {
            offeredBefore = current == bucket + 1 ? offered : 0;
            offered = 0;
            bucket = current;
        }
        offered += jobs;
    }

    /** By the last minutes, as {@link Throughput#drain} says it of what leaves; 0 if nothing came. */
    double perSecond(Instant now) {
        long current = now.toEpochMilli() / BUCKET_MS;
        long ofCurrent = current == bucket ? offered : 0;
        long ofLast = current == bucket ? offeredBefore : current == bucket + 1 ? offered : 0;
        long since = (ofLast > 0 ? current - 1 : current) * BUCKET_MS;
        return (ofCurrent + ofLast) * 1_000.0 / Math.max(1_000, now.toEpochMilli() - since);
    }

    void write(BinaryOut out) {
        out.number(bucket).number(offered).number(offeredBefore);
    }

    static Inflow read(BinaryIn in) {
        Inflow inflow = new Inflow();
        inflow.bucket = in.number();
        inflow.offered = in.number();
        inflow.offeredBefore = in.number();
        return inflow;
    }
}
