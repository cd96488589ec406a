package io.floodgate.gateway.event;

import io.floodgate.topics.event.OjsEvent;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The position of a reader: for each partition of the topic, the offset to go on from. Gateways see partitions
 * interleaved in different ways, but each partition in the same order, so that any of them can go on where another left
 * off.
 */
final class EventCursor {
    private static final String MARK = "c1";
    private static final int MAX_PARTITIONS = 4_096;

    private long[] offsets;

    private EventCursor(long[] offsets) {
        this.offsets = offsets;
    }

    static EventCursor beginning() {
        return new EventCursor(new long[0]);
    }

    EventCursor copy() {
        return new EventCursor(offsets.clone());
    }

    /** Empty for what is no cursor of ours. */
    static Optional<EventCursor> parse(String text) {
        if (!text.startsWith(MARK)) return Optional.empty();
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text.substring(MARK.length()));
            long[] offsets = new long[MAX_PARTITIONS];
            int partitions = 0;
            int at = 0;
            while (at < bytes.length) {
                long offset = 0;
                int shift = 0;
                byte b;
                do {
                    b = bytes[at++];
                    offset |= (long) (b & 0x7F) << shift;
                    shift += 7;
                } while (b < 0 && shift < Long.SIZE);
                if (offset < 0) return Optional.empty();
                offsets[partitions++] = offset;
            }
            return Optional.of(new EventCursor(Arrays.copyOf(offsets, partitions)));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException malformed) {
            return Optional.empty();
        }
    }

    /** Returns the offset from which to read this partition. */
    long of(int partition) {
        return partition < offsets.length ? offsets[partition] : 0;
    }

    int partitions() {
        return offsets.length;
    }

    boolean isBefore(OjsEvent event) {
        return event.offset() >= of(event.partition());
    }

    void moveBehind(OjsEvent event) {
        moveTo(event.partition(), event.offset() + 1);
    }

    void moveTo(int partition, long offset) {
        if (partition >= offsets.length) offsets = Arrays.copyOf(offsets, partition + 1);
        offsets[partition] = offset;
    }

    /** A new one: of each partition, the later of the two. */
    EventCursor orLater(EventCursor other) {
        long[] later = Arrays.copyOf(offsets, Math.max(offsets.length, other.offsets.length));
        for (int i = 0; i < later.length; i++) later[i] = Math.max(later[i], other.of(i));
        return new EventCursor(later);
    }

    /** Returns how many records the other is ahead, where it is; markers of transactions are among them. */
    long behind(EventCursor other) {
        long records = 0;
        for (int i = 0; i < other.offsets.length; i++) records += Math.max(0, other.offsets[i] - of(i));
        return records;
    }

    @Override
    public String toString() {
        byte[] bytes = new byte[offsets.length * 10];
        int length = 0;
        for (long offset : offsets) {
            long rest = offset;
            while (rest > 0x7F) {
                bytes[length++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[length++] = (byte) rest;
        }
        return MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes, length));
    }
}
