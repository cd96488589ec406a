package io.floodgate.gateway.overload;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Something that the whole server can run out of.
 *
 * @param name for metrics and rejections
 * @param words what it is, for people
 * @param saturation how much of it is taken, from 0 to 1
 * @param seconds until some of it is to be expected
 * @param channel it is a buffer that empties by itself, and full sooner than what is stored
 */
public record Signal(String name, String words, DoubleSupplier saturation, LongSupplier seconds, boolean channel) {
    /** Returns the signal of something that is stored. */
    public static Signal of(String name, String words, DoubleSupplier saturation, LongSupplier seconds) {
        return new Signal(name, words, saturation, seconds, false);
    }

    /** Returns the signal of a buffer. */
    public static Signal channel(String name, String words, DoubleSupplier saturation) {
        return new Signal(name, words, saturation, () -> Channels.seconds(saturation.getAsDouble()), true);
    }
}
