package io.floodgate.verification.history;

/** From just before a request was sent until just after its answer came, in the caller's {@code System.nanoTime()}. */
public record Span(long begun, long ended) {}
