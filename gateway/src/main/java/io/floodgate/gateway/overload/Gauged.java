package io.floodgate.gateway.overload;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Something that the whole server can run out of.
 *
 * @param name for metrics and refusals
 * @param words what it is, for people
 * @param saturation how much of it is taken, from 0 to 1
 * @param seconds until some of it is to be expected
 */
public record Gauged(String name, String words, DoubleSupplier saturation, LongSupplier seconds) {}
