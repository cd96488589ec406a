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
            .then("See why it ended; start another one.")
            .title("Worker '{worker_id}' is gone[: its last heartbeat was {last_heartbeat_at:ago} ago]")
            .text(
                    "It fell silent without a word. Jobs that it had, if any, were given to other workers, or failed at their last attempt.")
            .since("last_heartbeat_at")
            .evidence("last_heartbeat_at active")
            .advise("See why it ended, and start another one.", Docs.WORKER_LOST)),
    LEFT(is(INFO).when("The worker left in good order: it said so, or it was stopping when it fell silent.")
            .title("Worker '{worker_id}' has left")
            .text("It said that it stops, or was asked to. A job that it had not ended was given back.")
            .since("last_heartbeat_at")
            .evidence("last_heartbeat_at")),
    SILENT(is(WARNING)
            .when("The last heartbeat is more than 10 s old; after 30 s the worker counts as lost.")
            .then("Look at the worker.")
            .title("Worker '{worker_id}' has been silent for {last_heartbeat_at:ago}")
            .text(
                    "It counts as lost [in {left}, and then its jobs are given to others|any moment, and its jobs are given to others].")
            .since("last_heartbeat_at")
            .evidence("last_heartbeat_at active")
            .advise("Look at the worker: it may be out of memory, or cut off.", Docs.WORKER_LOST)),
    NO_HEARTBEATS(is(INFO, WARNING)
            .when(
                    "The worker has fetched and never sent a heartbeat of its own; a warning if it has jobs, which come back only when their leases end.")
            .then("Let it send heartbeats.")
            .title("Worker '{worker_id}' has never sent a heartbeat of its own")
            .text("Should it end, that is noticed only when the leases of its jobs end.")
            .evidence("active")
            .advise("Let it send heartbeats.", Docs.WORKER_LOST)),
    SLOW(is(WARNING)
            .when(
                    "At least 10 runs of a type took at least twice as long as at other workers (medians of the last 10 min, 100 ms or more).")
            .then("Compare its host with those of the others; take it out until the cause is found.")
            .title("Worker '{worker_id}' is slow: runs of '{type}' take {median}, at other workers {others}")
            .text("Medians of its last {runs:run} and of those of other workers, in the last 10 min.")
            .evidence("type runs median_ms others_median_ms window_seconds")
            .advise("Compare its host, and what it calls, with those of the other workers.", Docs.WORKER_LOST)
            .advise("[{is_running?}Give it no more jobs until the cause is found.]", Request.QUIET_WORKER)),
    TERMINATING(is(INFO).when("The worker was asked to stop, and finishes what it has.")
            .title("Worker '{worker_id}' was asked to stop: {active:job} left")
            .text("It finishes what it has, and fetches no more.")
            .evidence("active")),
    QUIET(is(INFO).when("The worker was asked to fetch no more jobs.")
            .then("Resume it.")
            .title("Worker '{worker_id}' was asked to fetch no more: {active:job} left")
            .evidence("active")
            .advise("Let it fetch again.", Request.RESUME_WORKER)),
    FULL(is(INFO).when("The worker runs as many jobs as it says it can.")
            .then("Nothing; more workers if jobs wait.")
            .title("Worker '{worker_id}' runs {active} of {concurrency} jobs")
            .text("It fetches the next one when one of them ends.")
            .evidence("active concurrency")),
    WORKING(is(OK).when("The worker runs jobs.").title("Worker '{worker_id}' runs {active:job}")),
    IDLE(is(OK).when("The worker runs no job.").title("Worker '{worker_id}' runs no job")),
    UNKNOWN_WORKER(is(UNKNOWN)
            .when("No worker has this id. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id; workers are forgotten some time after they are gone.")
            .title("There is no worker '{name}'")
            .text("A worker is known from its first heartbeat or fetch, and forgotten some time after it is gone."));

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
