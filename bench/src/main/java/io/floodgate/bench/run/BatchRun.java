package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;

/** {@code POST /ojs/v1/jobs/batch}, many jobs per request. */
public final class BatchRun {
    static final String PATH = "/ojs/v1/jobs/batch";

    private BatchRun() {}

    public static Measurement run(Settings settings, int connections, int size) throws Exception {
        JobBodies jobs = settings.jobs("-batch");
        String how = "POST %s, %d jobs each, %s".formatted(PATH, size, settings.loop(connections + " connections"));
        return settings.load(connections)
                .onThreads("batch", how, "jobs", caller -> new Enqueuing(settings.connect(), jobs, size));
    }

    private record Enqueuing(HttpConnection connection, JobBodies jobs, int size) implements LoadOperation {
        @Override
        public int run(long due) throws Exception {
            var unused = connection.post(PATH, jobs.batch(0, size), 201);
            return size;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
