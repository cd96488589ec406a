package io.floodgate.processor.queue;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;

/** How many jobs a queue with a bound has taken in lately, in buckets as long as those of what it got done. */
final class Inflow {
    private static final long BUCKET_MS = Throughput.BUCKET_MS;

    private long bucket;
    private long taken;
    private long takenBefore;

    boolean isEmpty() {
        return bucket == 0;
    }

    void add(Instant at) {
        long current = at.toEpochMilli() / BUCKET_MS;
        if (current != bucket) {
            takenBefore = current == bucket + 1 ? taken : 0;
            taken = 0;
            bucket = current;
        }
        taken++;
    }

    /** By the last minutes, as {@link Throughput#drainsPerSecond} says it of what leaves; 0 if nothing came. */
    double perSecond(Instant now) {
        long current = now.toEpochMilli() / BUCKET_MS;
        long ofCurrent = current == bucket ? taken : 0;
        long ofLast = current == bucket ? takenBefore : current == bucket + 1 ? taken : 0;
        long since = (ofLast > 0 ? current - 1 : current) * BUCKET_MS;
        return (ofCurrent + ofLast) * 1_000.0 / Math.max(1_000, now.toEpochMilli() - since);
    }

    void write(BinaryOut out) {
        out.number(bucket).number(taken).number(takenBefore);
    }

    static Inflow read(BinaryIn in) {
        Inflow inflow = new Inflow();
        inflow.bucket = in.number();
        inflow.taken = in.number();
        inflow.takenBefore = in.number();
        return inflow;
    }
}
