package io.floodgate.bench.scenario;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.io.IOException;
import java.time.Duration;

/** The operator's view of a queue. */
record MeasuredQueue(HttpConnection connection, String queue) implements AutoCloseable {
    static MeasuredQueue connect(Session session, String queue) {
        return new MeasuredQueue(session.connect(), queue);
    }

    /** @param maxDepth 0 for no bound */
    void bound(long maxDepth, String strategy) throws IOException {
        JsonOut bound = new JsonOut().beginObject().field("max_depth", maxDepth).field("max_size_bytes", 0);
        put("/ojs/v1/admin/queues/", "backpressure", bound.field("strategy", strategy));
    }

    void keepCompleted(Duration time) throws IOException {
        put("/ojs/v1/queues/", "retention", new JsonOut().beginObject().field("completed", time.toString()));
    }

    private void put(String path, String name, JsonOut object) throws IOException {
        byte[] json = object.endObject().toBytes();
        byte[] body =
                new JsonOut().beginObject().fieldRaw(name, json).endObject().toBytes();
        var unused = connection.put(path + queue + "/config", body);
    }

    /** Returns how many jobs are in this state; 0 as well for a queue that has had no job yet. */
    int jobs(String state) throws IOException {
        return Json.tree(connection.get("/ojs/v1/queues/" + queue).body())
                .path(state)
                .asInt(0);
    }

    @Override
    public void close() {
        connection.close();
    }
}
