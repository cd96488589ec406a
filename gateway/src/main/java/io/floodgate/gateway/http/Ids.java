package io.floodgate.gateway.http;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Makes ids: of jobs, and of requests that came without one. Safe for any number of threads, and never blocks. */
public final class Ids {
    /** The golden ratio's odd neighbour: SplitMix64 visits every 64-bit number once before it repeats one. */
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private static final long BEFORE_2005 = (1L << 40) - 1;

    private final Clock clock;
    private final AtomicLong seed;

    public Ids(Clock clock) {
        this(clock, new SecureRandom().nextLong());
    }

    Ids(Clock clock, long seed) {
        this.clock = clock;
        this.seed = new AtomicLong(seed);
    }

    /** An id for a job of this queue, which carries the way to the queue's partition. */
    public JobId job(String queue) {
        return JobId.make(Slot.of(queue), clock.millis(), chance());
    }

    /** The id that always belongs to this key: of a request that may be sent again. It lies before all that are made with a time. */
    public static JobId always(String queue, byte[] key) {
        try {
            ByteBuffer hash =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key));
            return JobId.make(Slot.of(queue), hash.getLong() & BEFORE_2005, hash.getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    public String request() {
        long random = chance();
        return "req_"
                + JobId.make(new Slot((int) (random >>> 52), (int) (random >>> 36) & 0xFFFF), clock.millis(), random);
    }

    private long chance() {
        long z = seed.addAndGet(STEP);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
