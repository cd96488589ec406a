package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** A worker's side of one connection: fetch, ack and nack. */
final class HttpWorker implements AutoCloseable {
    private static final String FETCH = "/ojs/v1/workers/fetch";
    private static final String ACK = "/ojs/v1/workers/ack";
    private static final String NACK = "/ojs/v1/workers/nack";

    private final HttpConnection connection;
    private final String id;

    /**
     * A job in hand.
     *
     * @param number what {@link JobBodies} put into it
     * @param attempt how often it was handed out, with this time
     */
    record Handed(String id, long number, String queue, int attempt) {}

    HttpWorker(HttpConnection connection, String id) {
        this.connection = connection;
        this.id = id;
    }

    List<Handed> fetch(List<String> queues, int count, Duration wait) throws IOException {
        JsonOut request = new JsonOut()
                .beginObject()
                .field("queues", queues)
                .field("count", count)
                .field("worker_id", id);
        if (!wait.isZero()) request.field("wait_ms", wait.toMillis());
        return read(connection.post(FETCH, request.endObject().toBytes(), 200));
    }

    void ack(Handed job) throws IOException {
        ack(new JsonOut().beginObject().field("job_id", job.id).field("worker_id", id));
    }

    /** As workers do that name nothing but the job. */
    void ackById(Handed job) throws IOException {
        ack(new JsonOut().beginObject().field("job_id", job.id));
    }

    private void ack(JsonOut request) throws IOException {
        var unused = connection.post(ACK, request.endObject().toBytes(), 200);
    }

    /** It has failed for good. */
    void nackById(Handed job) throws IOException {
        JsonOut request = new JsonOut().beginObject().field("job_id", job.id).name("error");
        request.beginObject()
                .field("type", "bench")
                .field("message", "It was to fail.")
                .field("retryable", false)
                .endObject();
        var unused = connection.post(NACK, request.endObject().toBytes(), 200);
    }

    /** Takes one of these jobs, if there is one within that time, and is done with it at once. Whether there was one. */
    boolean takeOne(JobBodies jobs, Duration wait, Handoffs handoffs) throws IOException {
        List<Handed> taken = fetch(List.of(jobs.queue()), 1, wait);
        for (Handed job : taken) {
            handoffs.started(job.number());
            ack(job);
        }
        return !taken.isEmpty();
    }

    private static List<Handed> read(byte[] response) throws IOException {
        try {
            List<Handed> jobs = new ArrayList<>();
            for (JsonNode job : Json.tree(response).required("jobs"))
                jobs.add(new Handed(
                        job.required("id").stringValue(),
                        job.required("args").required(0).longValue(),
                        job.required("queue").stringValue(),
                        job.required("attempt").intValue()));
            return jobs;
        } catch (JacksonException unreadable) {
            throw new IOException("the response to a fetch cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
