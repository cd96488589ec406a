package io.floodgate.processor.kernel;

import java.time.Instant;

/** The only clock of the rules: where in the log we are, and the log's time there, which never goes back. */
public record Moment(long offset, Instant time) {}
