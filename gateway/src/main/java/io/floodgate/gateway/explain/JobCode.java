package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a job: how it stands, or how it ended. There is exactly one for a job. */
enum JobCode implements FindingCode {
    PARTITION_SILENT(is(PROBLEM)
            .when("The partition of the job does not answer, so that its state is not known.")
            .then("See the runbook of an unavailable partition.")),
    SET_ASIDE(is(PROBLEM)
            .when("Processing the job failed in Floodgate itself; it is quarantined.")
            .then("Decide about it: GET /ojs/v1/admin/set-aside.")),
    RUNNING(is(OK).when("A worker runs the job.")),
    LONG_RUN(is(WARNING)
            .when("A worker runs the job for more than 3 times the average of its queue, and for 1 min or more.")
            .then("Look at the worker; cancel the job.")),
    SILENT_WORKER(is(PROBLEM)
            .when("A worker has the job, and has sent no heartbeat for more than 10 s.")
            .then("Look at the worker; the job goes to another one when it is lost.")),
    SCHEDULED(is(OK).when("The time of the job has not come.")),
    RETRY(is(INFO).when("The last attempt failed, and the next one has to wait.")
            .then("See how the attempts failed.")),
    NOT_ACTIVATED(is(INFO, WARNING)
            .when("The job was enqueued as pending and is not activated; a warning after 1 h.")
            .then("Activate or cancel it.")),
    MAKING_ROOM(is(INFO).when("The job is dropped if a batch is stored that needs its capacity.")
            .then("Wait a moment.")),
    MAINTENANCE(is(WARNING).when("Maintenance is on: no queue hands out jobs.").then("End the maintenance.")),
    QUEUE_PAUSED(is(WARNING).when("The queue of the job is paused.").then("Resume the queue.")),
    NOBODY_FETCHES(is(PROBLEM)
            .when("No worker has fetched from the queue of the job for more than 2 min, or ever.")
            .then("Start workers; check that they name this queue.")),
    RATE_LIMITED(is(INFO, PROBLEM)
            .when(
                    "A rate limit holds the job back; a problem if the concurrency of the key is 0, or if it has waited for 5 min or more and it is not known until when.")
            .then("Look at the key.")),
    TYPE_NOT_FETCHED(is(PROBLEM)
            .when("Workers fetch from the queue, and for 2 min none asked for the type of the job.")
            .then("Start workers for this type; look at those that leave it out.")),
    VERSION_NOT_ACCEPTED(is(PROBLEM)
            .when("Workers ask for the type of the job, and for 2 min none accepted its version.")
            .then("Start workers that accept this version; look at the versions that the others declare.")),
    TENANT_NOT_FETCHED(is(PROBLEM)
            .when("Workers name the tenants whose jobs they take, and for 2 min none named that of the job.")
            .then("Start workers for this tenant, or some that name none.")),
    STARVED(is(WARNING)
            .when("Fetches that name the queue of the job are served by queues that they name first.")
            .then("Change the order of the queues in the workers.")),
    WORKERS_BUSY(is(INFO).when("The workers of the queue are busy with jobs that come before it.")
            .then("Wait, or start more workers.")),
    IN_LINE(is(OK).when("Workers wait for jobs of the queue: it is about to be fetched.")),
    COMPLETED(is(OK).when("A run of the job succeeded.")),
    CANCELLED(is(INFO).when("The job was cancelled.").then("Retry it if that was a mistake.")),
    ATTEMPTS_USED(is(WARNING).when("The last attempt of the job failed.").then("Correct the cause and retry it.")),
    NOT_RETRYABLE(is(WARNING)
            .when("A run failed, and its error or the retry policy ruled out another attempt.")
            .then("Correct the cause and retry it.")),
    EXPIRED(is(WARNING)
            .when("The time to live of the job was over before it was run.")
            .then("Enqueue it again if it is still wanted.")),
    OVERFLOW(is(WARNING)
            .when("The queue was full, and the job made room for a newer one.")
            .then("Raise the bound, or add workers.")),
    RATE_LIMIT_DROPPED(is(WARNING)
            .when("A rate limit was reached, and the job said `on_limit: drop`.")
            .then("Raise the limit, or let jobs wait.")),
    QUEUE_DELETED(is(INFO).when("The queue of the job was deleted.")),
    WORKER_LOST_ONCE(is(WARNING)
            .when("The worker was lost during a run, and the job said `on_worker_lost: discard`.")
            .then("Find out whether the run had an effect before you retry it.")),
    UNKNOWN_ID(is(UNKNOWN)
            .when("There is no job with this id. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id; finished jobs are removed when their retention is over."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    JobCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
