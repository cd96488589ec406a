package io.floodgate.bench.run;

import io.floodgate.bench.http.HttpConnection;
import io.floodgate.bench.load.LoadOperation;

/** Enqueues one job of those whose start is measured. */
record EnqueueOne(HttpConnection connection, JobBodies jobs, Handoffs handoffs) implements LoadOperation {
    @Override
    public int run(long due) throws Exception {
        long number = handoffs.send(due);
        boolean sent = false;
        try {
            var unused = connection.post(EnqueueRun.PATH, jobs.json(number), 201);
            sent = true;
        } finally {
            if (!sent) handoffs.notSent(number);
        }
        return 1;
    }

    @Override
    public void close() {
        connection.close();
    }
}
