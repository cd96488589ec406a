package io.floodgate.bench.report;

import io.floodgate.bench.load.Measurement;

/** A measurement and what to hold it against. */
public record ReportFinding(Measurement measurement, Yardstick yardstick) {}
