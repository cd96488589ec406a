package io.floodgate.processor.cron;

import java.time.Instant;

/**
 * A schedule of which too little is known.
 *
 * @param from after this time
 */
public record WantedPlan(String name, long generation, Instant from, String expression, String timezone) {}
