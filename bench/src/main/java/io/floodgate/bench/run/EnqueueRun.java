package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.Measurement;
import java.util.ArrayList;
import java.util.List;

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
                .onThreads(
                        name,
                        how,
                        "jobs",
                        caller -> new Enqueuing(settings.connect(), jobs, caller * 100_000_000L, 1, 201));
    }

    /** Jobs that each have a key of their own, with the queue in it or not; or all the same one. */
    public static List<Measurement> unique(Settings settings, int connections) throws Exception {
        JobBodies plain = settings.jobs("-unique");
        JobBodies anywhere = plain.unique("{\"keys\":[\"type\",\"args\"]}");
        JobBodies same = settings.jobs("-unique-same").unique("{\"keys\":[\"type\",\"args\"]}");
        List<Measurement> measured = new ArrayList<>();
        measured.add(run("without a key", settings, connections, plain));
        measured.add(run(
                "the queue in the key",
                settings,
                connections,
                plain.unique("{\"keys\":[\"type\",\"queue\",\"args\"]}")));
        measured.add(run("keys of any partition", settings, connections, anywhere));
        try (HttpConnection first = settings.connect()) {
            var unused = first.exchange("POST", PATH, same.json(0));
        }
        String how = "POST %s, %s".formatted(PATH, settings.loop(connections + " connections"));
        measured.add(settings.load(connections)
                .onThreads(
                        "duplicates of one job",
                        how,
                        "jobs",
                        caller -> new Enqueuing(settings.connect(), same, 0, 0, 409)));
        return measured;
    }

    private static final class Enqueuing implements LoadOperation {
        private final HttpConnection connection;
        private final JobBodies jobs;
        private final int step;
        private final int expected;
        private long number;

        Enqueuing(HttpConnection connection, JobBodies jobs, long first, int step, int expected) {
            this.connection = connection;
            this.jobs = jobs;
            this.step = step;
            this.expected = expected;
            number = first;
        }

        @Override
        public int run(long due) throws Exception {
            var unused = connection.post(PATH, jobs.json(number), expected);
            number += step;
            return 1;
        }

        @Override
        public void close() {
            connection.close();
        }
    }
}
