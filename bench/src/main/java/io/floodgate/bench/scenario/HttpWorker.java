package io.floodgate.bench.scenario;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The connection of a caller, with the requests of a worker. */
record HttpWorker(HttpConnection connection, int number) implements AutoCloseable {
    private static final String WORKERS = "/ojs/v1/workers/";

    /** A fetched job. */
    record Fetched(JsonNode json) {
        /** Returns its first argument. */
        long number() {
            return json.required("args").required(0).longValue();
        }
    }

    /** @param wait zero for a fetch that does not wait */
    List<Fetched> fetch(List<String> queues, int count, Duration wait) throws IOException {
        JsonOut request = new JsonOut()
                .beginObject()
                .field("queues", queues)
                .field("count", count)
                .field("worker_id", id());
        if (!wait.isZero()) request.field("wait_ms", wait.toMillis());
        byte[] response = connection.post(WORKERS + "fetch", request.endObject().toBytes(), 200);
        List<Fetched> jobs = new ArrayList<>();
        for (JsonNode job : Json.tree(response).required("jobs")) jobs.add(new Fetched(job));
        return jobs;
    }

    /** Fetches and acks this many jobs; it is an error if they do not come. */
    void finish(List<String> queues, int count, int atOnce, Duration wait) throws IOException {
        for (int left = count; left > 0; ) {
            List<Fetched> jobs = fetch(queues, Math.min(left, atOnce), wait);
            if (jobs.isEmpty()) throw new IOException("%d jobs that were enqueued did not come".formatted(left));
            for (Fetched job : jobs) ack(job);
            left -= jobs.size();
        }
    }

    void ack(Fetched job) throws IOException {
        String jobId = job.json.required("id").stringValue();
        JsonOut request = new JsonOut().beginObject().field("job_id", jobId).field("worker_id", id());
        send(WORKERS + "ack", request.endObject().toBytes(), 200);
    }

    private String id() {
        return "bench-" + number;
    }

    /** Posts this, and expects this status. */
    void send(String path, byte[] body, int expectedStatus) throws IOException {
        var unused = connection.post(path, body, expectedStatus);
    }

    @Override
    public void close() {
        connection.close();
    }
}
