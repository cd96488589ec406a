package io.floodgate.bench.scenario;

import io.floodgate.bench.load.LoadOperation;
import io.floodgate.bench.load.LoadSteps;

/** The work of a caller that has a connection of its own. */
@FunctionalInterface
interface HttpOperation {
    /** Does it once, and returns how many units it got done. */
    int run(HttpWorker worker, long due, LoadSteps steps) throws Exception;

    /** The operation of one caller. */
    record Open(HttpWorker worker, HttpOperation operation, LoadSteps steps) implements LoadOperation {
        @Override
        public int run(long due) throws Exception {
            return operation.run(worker, due, steps);
        }

        @Override
        public void close() {
            worker.close();
        }
    }
}
