package io.floodgate.processor.cron;

import java.time.Instant;

/**
 * A schedule of which too little is known.
 *
 * @param from after this time
 * @param planEnd the last time that is known
 */
public record WantedPlan(
        String name, long generation, Instant from, Instant planEnd, String expression, String timezone) {}
