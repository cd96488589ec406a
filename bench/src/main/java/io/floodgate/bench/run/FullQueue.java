package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import java.io.IOException;

/** A queue with a bound, filled up to it; closing this removes the bound. */
final class FullQueue implements AutoCloseable {
    private static final String STRATEGY = "reject";

    private final Settings settings;
    private final String name;

    private FullQueue(Settings settings, String name) {
        this.settings = settings;
        this.name = name;
    }

    static FullQueue fill(Settings settings, JobBodies jobs, int depth) throws IOException {
        FullQueue queue = new FullQueue(settings, jobs.queue());
        queue.bound(depth);
        try (HttpConnection connection = settings.connect()) {
            for (int i = 0; i < depth; i++) {
                var unused = connection.post(EnqueueRun.PATH, jobs.json(i), 201);
            }
        }
        return queue;
    }

    private void bound(long depth) throws IOException {
        try (BoundedQueue queue = new BoundedQueue(settings, name)) {
            queue.bound(depth, 0, STRATEGY);
        }
    }

    @Override
    public void close() throws IOException {
        bound(0);
    }
}
