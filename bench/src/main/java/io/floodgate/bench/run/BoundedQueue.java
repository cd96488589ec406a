package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A queue as its operator sees it: bounded, and looked at. */
final class BoundedQueue implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long BETWEEN_LOOKS_MS = 50;

    private final HttpConnection connection;
    private final String path;

    BoundedQueue(Settings settings, String name) {
        connection = settings.connect();
        path = "/ojs/v1/admin/queues/%s".formatted(name);
    }

    /** 0 for no bound. */
    void bound(long maxDepth, long maxSizeBytes, String strategy) throws IOException {
        var unused = connection.put(
                path + "/config",
                new JsonOut()
                        .beginObject()
                        .name("backpressure")
                        .beginObject()
                        .field("max_depth", maxDepth)
                        .field("max_size_bytes", maxSizeBytes)
                        .field("strategy", strategy)
                        .endObject()
                        .endObject()
                        .toBytes());
    }

    long figure(String name) throws IOException {
        return Json.tree(connection.get(path + "/config", 200)).required(name).longValue();
    }

    /** Waits until it says so. */
    void await(String name, long value) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        long now = figure(name);
        while (now != value) {
            if (System.nanoTime() > end)
                throw new IOException("'%s' is %,d and should have come to be %,d".formatted(name, now, value));
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
            now = figure(name);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
