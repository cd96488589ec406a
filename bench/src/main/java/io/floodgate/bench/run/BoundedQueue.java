package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.http.HttpResponse;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;

/** A queue that may hold so many jobs, and holds them; as any other again once this is closed. */
final class BoundedQueue implements AutoCloseable {
    private final Settings settings;
    private final Jobs jobs;

    private BoundedQueue(Settings settings, Jobs jobs) {
        this.settings = settings;
        this.jobs = jobs;
    }

    static BoundedQueue fill(Settings settings, Jobs jobs, int depth) throws IOException {
        BoundedQueue queue = new BoundedQueue(settings, jobs);
        queue.configure(config -> config.field("max_depth", depth).field("strategy", "reject"));
        try (HttpConnection connection = settings.connect()) {
            for (int i = 0; i < depth; i++) {
                var unused = connection.post(EnqueueRun.PATH, jobs.json(i), 201);
            }
        }
        return queue;
    }

    private interface Config {
        JsonOut write(JsonOut out);
    }

    private void configure(Config config) throws IOException {
        JsonOut body = new JsonOut().beginObject().name("backpressure").beginObject();
        try (HttpConnection connection = settings.connect()) {
            HttpResponse response = connection.exchange(
                    "PUT",
                    "/ojs/v1/admin/queues/%s/config".formatted(jobs.queue()),
                    config.write(body).endObject().endObject().toBytes());
            if (response.status() != 200)
                throw new IOException(
                        "the queue cannot be bounded: %d, %s".formatted(response.status(), response.text()));
        }
    }

    @Override
    public void close() throws IOException {
        configure(config -> config.field("max_depth", 0));
    }
}
