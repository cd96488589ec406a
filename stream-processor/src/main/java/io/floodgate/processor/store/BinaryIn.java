package io.floodgate.processor.store;

import io.floodgate.topics.JobId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what {@link BinaryOut} wrote. */
public final class BinaryIn {
    private final byte[] bytes;
    private int at;

    public BinaryIn(byte[] bytes) {
        this.bytes = bytes;
    }

    public boolean hasMore() {
        return at < bytes.length;
    }

    /**
     * The version that a stored value begins with. Fields are only ever added, at the end: so the version before this one
     * lacks some, and the next one, which a newer release has left behind, has more than this one looks at. Anything else is
     * rejected, not guessed at.
     *
     * @param own the one that this release writes
     * @return the one that is stored
     */
    public int version(int own, Supplier<String> what) {
        int stored = u8();
        if (stored < own - 1 || stored > own + 1 || stored == 0)
            throw new IllegalStateException(
                    "%s is stored in version %d, which this release cannot read".formatted(what.get(), stored));
        return stored;
    }

    public int u8() {
        return bytes[at++] & 0xFF;
    }

    public long number() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte b = bytes[at++];
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) return value;
        }
    }

    public int integer() {
        return Math.toIntExact(number());
    }

    public long signed() {
        long value = number();
        return (value >>> 1) ^ -(value & 1);
    }

    public long fixed() {
        long value = 0;
        for (int i = 0; i < 8; i++) value = (value << 8) | (bytes[at++] & 0xFF);
        return value;
    }

    public JobId job() {
        return new JobId(fixed(), fixed());
    }

    public boolean flag() {
        return u8() != 0;
    }

    public double real() {
        return Double.longBitsToDouble(fixed());
    }

    public Instant time() {
        return Instant.ofEpochMilli(number());
    }

    public String text() {
        int size = integer();
        String text = new String(bytes, at, size, StandardCharsets.UTF_8);
        at += size;
        return text;
    }

    /** Reads the rest as text. */
    String rest() {
        String rest = new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
        at = bytes.length;
        return rest;
    }

    public byte[] blob() {
        int size = integer();
        at += size;
        return Arrays.copyOfRange(bytes, at - size, at);
    }

    public @Nullable Instant optionalTime() {
        return flag() ? time() : null;
    }

    public @Nullable String optionalText() {
        return flag() ? text() : null;
    }

    public @Nullable Long optionalNumber() {
        return flag() ? (Long) number() : null;
    }
}
