package io.floodgate.topics.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks for bytes, eight at a time: jobs of a megabyte are walked through for a few quotes and line feeds. */
public final class Bytes {
    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long TOPS = 0x8080808080808080L;

    private Bytes() {}

    /** Where the byte stands first; {@code to} if it does not. */
    public static int find(byte[] in, int from, int to, char what) {
        return findEither(in, from, to, what, what);
    }

    /** Where one of two bytes stands first; {@code to} if neither does. */
    public static int findEither(byte[] in, int from, int to, char one, char other) {
        long ones = one * ONES;
        long others = other * ONES;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long eight = (long) EIGHT.get(in, at);
            long found = zeros(eight ^ ones) | zeros(eight ^ others);
            if (found != 0) return at + Long.numberOfTrailingZeros(found) / Byte.SIZE;
        }
        while (at < to && in[at] != one && in[at] != other) at++;
        return at;
    }

    /** The top bit of each byte that is zero; above the lowest such byte, others may be marked too. */
    private static long zeros(long eight) {
        return (eight - ONES) & ~eight & TOPS;
    }
}
