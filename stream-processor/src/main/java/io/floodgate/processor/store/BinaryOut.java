package io.floodgate.processor.store;

import io.floodgate.topics.JobId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes stored values: variable-length integers, strings with their length, and options with a mark. */
public final class BinaryOut {
    private byte[] bytes = new byte[160];
    private int length;

    public BinaryOut u8(int value) {
        ensure(1);
        bytes[length++] = (byte) value;
        return this;
    }

    /** A number of 0 or more in as few bytes as it needs; any other takes ten. */
    public BinaryOut number(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    /** A number that may be negative but is likely to be near zero. */
    public BinaryOut signed(long value) {
        return number((value << 1) ^ (value >> 63));
    }

    public BinaryOut fixed(long value) {
        ensure(8);
        for (int shift = 56; shift >= 0; shift -= 8) bytes[length++] = (byte) (value >>> shift);
        return this;
    }

    public BinaryOut job(JobId id) {
        return fixed(id.high()).fixed(id.low());
    }

    public BinaryOut flag(boolean value) {
        return u8(value ? 1 : 0);
    }

    public BinaryOut real(double value) {
        return fixed(Double.doubleToLongBits(value));
    }

    public BinaryOut time(Instant value) {
        return number(value.toEpochMilli());
    }

    public BinaryOut text(String value) {
        return blob(value.getBytes(StandardCharsets.UTF_8));
    }

    public BinaryOut blob(byte[] value) {
        number(value.length);
        return raw(value);
    }

    public BinaryOut raw(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    public BinaryOut optional(@Nullable Instant value) {
        return value == null ? u8(0) : u8(1).time(value);
    }

    public BinaryOut optional(@Nullable String value) {
        return value == null ? u8(0) : u8(1).text(value);
    }

    public BinaryOut optional(@Nullable Long value) {
        return value == null ? u8(0) : u8(1).number(value);
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private void ensure(int more) {
        if (length + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
}
