package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.load.Plan;
import java.time.Duration;

/**
 * Where to run and for how long.
 *
 * @param queue the queue to fill, new for every run unless somebody chose one
 * @param rate of an open loop, 0 for a closed one
 */
public record Settings(
        HttpTarget target,
        String bootstrap,
        String queue,
        Duration warmup,
        Duration measured,
        double rate,
        int jobBytes) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    Plan plan(int callers) {
        return new Plan(warmup, measured, callers, rate);
    }

    HttpConnection connect() {
        return new HttpConnection(target, PATIENCE);
    }

    Jobs jobs(String suffix) {
        return new Jobs(queue + suffix, jobBytes);
    }

    /** For a table: how the load was made. */
    String loop(String callers) {
        return rate > 0 ? "open loop, %,.0f/s due, %s".formatted(rate, callers) : "closed loop, " + callers;
    }

    public Settings withRate(double other) {
        return new Settings(target, bootstrap, queue, warmup, measured, other, jobBytes);
    }
}
