package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;

/** {@code POST /ojs/v1/jobs}, one job per request. */
public final class EnqueueRun {
    static final String PATH = "/ojs/v1/jobs";

    private EnqueueRun() {}

    public static Measurement run(String name, Settings settings, int connections) throws Exception {
        return run(name, settings, connections, settings.jobs("-single"));
    }

    static Measurement run(String name, Settings settings, int connections, JobBodies jobs) throws Exception {
        String how = "POST %s, %s".formatted(PATH, settings.loop(connections + " connections"));
        return settings.load(connections)
                .onThreads(name, how, "jobs", caller -> new Enqueuing(settings.connect(), jobs, caller));
    }

    private static final class Enqueuing implements LoadOperation {
        private final HttpConnection connection;
        private final JobBodies jobs;
        private long number;

        Enqueuing(HttpConnection connection, JobBodies jobs, int caller) {
            this.connection = connection;
            this.jobs = jobs;
            number = caller * 100_000_000L;
        }

        @Override
        public int run(long due) throws Exception {
            var unused = connection.post(PATH, jobs.json(number++), 201);
            return 1;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
