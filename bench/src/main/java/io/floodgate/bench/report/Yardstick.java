package io.floodgate.bench.report;

/** Which figure of the limit run a measurement is compared with, if any. */
public enum Yardstick {
    NONE,
    /** The median latency of one echo at a time. */
    LATENCY,
    /** Echoes per second. */
    RATE,
    /** Jobs per second in large records. */
    BATCH_RATE
}
