package io.floodgate.client;

import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;

/** The outside of a producer: time, chance, threads, and ids. */
record Surroundings(Time time, DoubleSupplier chance, Executor threads, OutgoingJob.Ids ids) {}
