package io.floodgate.topics;

import java.util.Optional;
import java.util.UUID;

/**
 * A UUIDv7 (RFC 9562). In an id made by Floodgate the 12 {@code rand_a} bits carry the slot of the job's queue and the
 * first 16 bits of {@code rand_b} its tag, so that a command which names only the job finds the partition that owns it.
 */
public record JobId(long high, long low) implements Comparable<JobId> {
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long CHANCE = (1L << 46) - 1;

    /** Returns the id of a text; only a lower-case UUIDv7 is an OJS job id. */
    public static Optional<JobId> parse(String text) {
        if (text.length() != 36) return Optional.empty();
        long high = 0;
        long low = 0;
        for (int i = 0; i < 36; i++) {
            char c = text.charAt(i);
            if (i == 8 || i == 13 || i == 18 || i == 23) {
                if (c != '-') return Optional.empty();
                continue;
            }
            int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
            if (digit < 0) return Optional.empty();
            if (i < 18) high = high << 4 | digit;
            else low = low << 4 | digit;
        }
        boolean version7 = (high & 0xF000) == 0x7000 && low >>> 62 == 2;
        return version7 ? Optional.of(new JobId(high, low)) : Optional.empty();
    }

    /** An id for a job of the queue at this slot; of {@code chance} the low 46 bits count. */
    public static JobId make(Slot queue, long epochMillis, long chance) {
        long high = (epochMillis << 16) | 0x7000L | queue.number();
        return new JobId(high, VARIANT | ((long) queue.tag() << 46) | (chance & CHANCE));
    }

    /** The slot of the partition to ask for this id: its queue's if we made it, its directory entry's otherwise. */
    public Slot slot() {
        return new Slot((int) (high & 0xFFF), (int) ((low >>> 46) & 0xFFFF));
    }

    @Override
    public int compareTo(JobId other) {
        int order = Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        return new UUID(high, low).toString();
    }
}
