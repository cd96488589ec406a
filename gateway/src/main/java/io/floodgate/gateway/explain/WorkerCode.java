package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a worker. Of two of the same severity, the first one here is the verdict. */
enum WorkerCode implements FindingCode {
    LOST(is(PROBLEM, INFO)
            .when(
                    "The worker fell silent without a word; jobs that it had were given to others. A problem for 10 min, then info.")
            .then("See why it ended; start another one.")),
    LEFT(is(INFO).when("The worker left in good order: it said so, or it was stopping when it fell silent.")),
    SILENT(is(WARNING)
            .when("The last heartbeat is more than 10 s old; after 30 s the worker counts as lost.")
            .then("Look at the worker.")),
    NO_HEARTBEATS(is(INFO, WARNING)
            .when(
                    "The worker has fetched and never sent a heartbeat of its own; a warning if it has jobs, which come back only when their leases end.")
            .then("Let it send heartbeats.")),
    SLOW(is(WARNING)
            .when(
                    "At least 10 runs of a type took at least twice as long as at other workers (medians of the last 10 min, 100 ms or more).")
            .then("Compare its host with those of the others; take it out until the cause is found.")),
    TERMINATING(is(INFO).when("The worker was asked to stop, and finishes what it has.")),
    QUIET(is(INFO).when("The worker was asked to fetch no more jobs.").then("Resume it.")),
    FULL(is(INFO).when("The worker runs as many jobs as it says it can.").then("Nothing; more workers if jobs wait.")),
    WORKING(is(OK).when("The worker runs jobs.")),
    IDLE(is(OK).when("The worker runs no job.")),
    UNKNOWN_WORKER(is(UNKNOWN)
            .when("No worker has this id. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id; workers are forgotten some time after they are gone."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    WorkerCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
