package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;

/** A measurement and what to hold it against. */
public record Finding(Measurement measurement, Yardstick yardstick) {}
