package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.Measurement;
import io.floodgate.topics.json.JsonOut;
import java.util.List;

/** What it costs that a job goes through the topic of its queue, and not through that of all commands. */
public final class EnqueueWaysRun {
    private final Settings settings;
    private final int connections;
    private final int turns;

    public EnqueueWaysRun(Settings settings, int connections, int turns) {
        this.settings = settings;
        this.connections = connections;
        this.turns = turns;
    }

    /** Single jobs, each way. */
    public List<Measurement> enqueue() throws Exception {
        return new Rotation()
                .with("enqueue through ojs.commands", name -> enqueue(name, "commands"))
                .with("enqueue through the queue's topic", name -> enqueue(name, "queue-topic"))
                .take(turns);
    }

    private Measurement enqueue(String name, String way) throws Exception {
        settings.prepare();
        JobBodies jobs = settings.jobs("-way-%d".formatted(System.nanoTime()));
        byte[] queue = new JsonOut()
                .beginObject()
                .field("name", jobs.queue())
                .field("enqueue_through", way)
                .endObject()
                .toBytes();
        try (HttpConnection connection = settings.connect()) {
            var unused = connection.post("/ojs/v1/queues", queue, 201);
        }
        return EnqueueRun.run(name, settings.withoutReset(), connections, jobs);
    }
}
