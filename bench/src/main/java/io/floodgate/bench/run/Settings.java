package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.bench.http.HttpTarget;
import io.floodgate.bench.load.Load;
import io.floodgate.bench.load.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Where to run and for how long.
 *
 * @param queue the queue to fill, new for every run unless one is named
 * @param rate of an open loop, 0 for a closed one
 * @param reset whether the server is to forget everything first, so that no run carries the backlog of another
 * @param server the process to watch, if it runs here
 */
public record Settings(
        HttpTarget target,
        String bootstrap,
        String queue,
        Duration warmup,
        Duration measured,
        double rate,
        int jobBytes,
        boolean reset,
        OptionalLong server) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration RESET_PATIENCE = Duration.ofMinutes(2);

    /** The warm-up of a measurement, which begins now. */
    Load load(int callers) throws IOException {
        prepare();
        return new Load(new Plan(warmup, measured, callers, rate), server);
    }

    HttpConnection connect() {
        return new HttpConnection(target, PATIENCE);
    }

    /** The header of a producer that waits for room. */
    static Map<String, String> waitingFor(Duration time) {
        return Map.of("OJS-Block-Timeout", Long.toString(time.toSeconds()));
    }

    /** To be called before each measurement. */
    void prepare() throws IOException {
        if (!reset) return;
        try (HttpConnection connection = connect()) {
            long end = System.nanoTime() + RESET_PATIENCE.toNanos();
            HttpResponse response = reset(connection);
            // Jobs by the hundred thousand take longer than a request may; what was asked for goes on.
            while (response.status() == 503 && System.nanoTime() < end) response = reset(connection);
            if (response.status() / 100 != 2)
                throw new IOException("the server cannot be reset, does it run with --test-mode? It says %d: %s"
                        .formatted(response.status(), response.text()));
        }
    }

    private static HttpResponse reset(HttpConnection connection) throws IOException {
        return connection.post("/ojs/v1/admin/reset", new byte[0]);
    }

    JobBodies jobs(String suffix) {
        return new JobBodies(queue + suffix, jobBytes);
    }

    /** For a table: how the load was made. */
    String loop(String callers) {
        return rate > 0 ? "open loop, %,.0f/s due, %s".formatted(rate, callers) : "closed loop, " + callers;
    }

    public Settings lasting(Duration other) {
        return new Settings(target, bootstrap, queue, warmup, other, rate, jobBytes, reset, server);
    }

    /** For what goes on with what is there. */
    Settings withoutReset() {
        return new Settings(target, bootstrap, queue, warmup, measured, rate, jobBytes, false, server);
    }

    public Settings withRate(double other) {
        return new Settings(target, bootstrap, queue, warmup, measured, other, jobBytes, reset, server);
    }
}
