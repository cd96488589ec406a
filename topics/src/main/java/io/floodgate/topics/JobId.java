package io.floodgate.topics;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A UUIDv7 (RFC 9562). In an id made by Floodgate the 12 {@code rand_a} bits carry the slot of the job's queue and the
 * first 16 bits of {@code rand_b} its tag, so that a command which names only the job finds the log that owns it.
 */
public record JobId(long high, long low) implements Comparable<JobId> {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long CHANCE = (1L << 46) - 1;

    /** Only lower-case UUIDv7 is an OJS job id. */
    public static Optional<JobId> parse(String text) {
        if (text.length() != 36 || !FORM.matcher(text).matches()) return Optional.empty();
        UUID uuid = UUID.fromString(text);
        return Optional.of(new JobId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()));
    }

    /** An id for a job of the queue at this slot; of {@code chance} the low 46 bits count. */
    public static JobId make(Slot queue, long epochMillis, long chance) {
        long high = (epochMillis << 16) | 0x7000L | queue.number();
        return new JobId(high, VARIANT | ((long) queue.tag() << 46) | (chance & CHANCE));
    }

    /** The slot of the log to ask for this id: its queue's if we made it, its directory entry's otherwise. */
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
