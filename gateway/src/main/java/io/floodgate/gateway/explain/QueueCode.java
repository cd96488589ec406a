package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a queue. Of two of the same severity, the first one here is the verdict. */
enum QueueCode implements FindingCode {
    PARTITION_SILENT(is(PROBLEM)
            .when(
                    "The partition of the queue does not answer. The processor that has it is named if Kafka knows one; the figures are the last published ones, and no action is advised.")
            .then("See the runbook of an unavailable partition.")),
    MAINTENANCE(is(WARNING).when("Maintenance is on: no queue hands out jobs.").then("End the maintenance.")),
    DRAINING(is(INFO).when("The queue is being deleted.").then("Wait, or delete it with another strategy.")),
    PAUSED(is(PROBLEM, WARNING, INFO)
            .when(
                    "An operator has paused the queue. A problem if jobs wait and producers are held up too; info if no job waits.")
            .then("Resume it.")),
    LIMIT_STOPPED(is(PROBLEM)
            .when("The concurrency of the queue is 0: no job starts.")
            .then("Raise the concurrency.")),
    LIMIT_FROZEN(is(WARNING)
            .when("A worker has reported that nothing of the queue may start before a time.")
            .then("Wait until then, or set the limits of the queue again to start at once.")),
    DROPPING(is(PROBLEM, WARNING)
            .when(
                    "Jobs were dropped to make room for others: a problem within the last 5 to 10 min, a warning within the last hour.")
            .then("More workers, a higher bound, or a strategy that rejects or blocks.")),
    NOBODY_FETCHES(is(PROBLEM)
            .when("Jobs are available, no fetch waits, and no worker has fetched for more than 2 min, or ever.")
            .then("Start workers; check that they name this queue.")),
    TYPES_NOT_FETCHED(is(PROBLEM)
            .when(
                    "Available jobs are of types that no fetch of the last 2 min asked for; one has waited for 1 min or more.")
            .then("Start workers for these types; look at the workers that leave them out.")),
    VERSIONS_NOT_ACCEPTED(is(PROBLEM)
            .when(
                    "Available jobs are of versions that no fetch of the last 2 min accepted; one has waited for 1 min or more.")
            .then("Start workers that accept these versions.")),
    STARVED(is(WARNING)
            .when(
                    "Fetches name the queue, and for 2 min none came to it: queues that they name first had jobs. A job has waited for 5 min or more.")
            .then("Change the order of the queues in the workers, or give the queue workers of its own.")),
    HELD_BY_LIMITS(is(PROBLEM, INFO)
            .when(
                    "Rate limits hold back the queue or more than half of its available jobs. A problem if the oldest has waited for 5 min or more, or at once if the concurrency of the key is 0.")
            .then("Look at the keys that hold jobs back.")),
    WORKERS_LOST(is(PROBLEM)
            .when(
                    "Within the last 10 min workers that ran jobs of the queue fell silent, and fewer run now than they had.")
            .then("Look after these workers, or start others.")),
    STUCK(is(PROBLEM)
            .when(
                    "Jobs run, none has ended for 5 min, and the longest run takes more than 3 times the average and 1 min; 10 min without an average.")
            .then("Look at the longest runs and their workers; cancel them.")),
    FAILING(is(PROBLEM, WARNING)
            .when("Of at least 20 runs of the last 5 to 10 min, half or more failed; a warning from 10% on.")
            .then("Look at one of the failed jobs; pause the queue if the failures harm others.")),
    DEAD_LETTERS(is(PROBLEM, WARNING, INFO)
            .when(
                    "The queue has dead letters, and the last one came within 24 h: a problem if there are 10 or more, a warning for fewer. Later, info.")
            .then("See why they failed; retry or delete them.")),
    WAITING_TO_RETRY(is(WARNING, INFO)
            .when("Half or more of the unfinished jobs wait for their next attempt; info with fewer than 10 of them.")
            .then("See why they fail.")),
    SCHEDULED_LATER(is(WARNING, INFO)
            .when("Half or more of the unfinished jobs are scheduled for later; a warning if the queue is full.")
            .then("Wait, or raise the bound.")),
    NOT_ACTIVATED(is(WARNING)
            .when("Half or more of the unfinished jobs wait to be activated, the oldest for more than 1 h.")
            .then("Activate or cancel them.")),
    LARGE_JOBS(is(WARNING)
            .when("The queue is nearer to its bound in bytes than to that in jobs, and has used 80% of it.")
            .then("Store the data elsewhere and pass references, or raise the bound.")),
    ONE_TENANT(is(WARNING)
            .when("The queue is full, and one tenant has half or more of its jobs.")
            .then("Set a bound for the tenant.")),
    PRODUCERS_FASTER(is(PROBLEM, WARNING, INFO)
            .when(
                    "The queue is bounded, and more jobs are offered than leave, by 5% or more. A problem if it is full, a warning if it will be within 30 min.")
            .then("More workers, or fewer jobs; a higher bound buys time.")),
    FULL_AND_STILL(is(WARNING)
            .when("The queue is full, and no job has left it for 5 min.")
            .then("See the other findings.")),
    FULL_BUT_DRAINING(is(INFO).when("The queue is full, and no more is offered than leaves.")
            .then("Nothing: there will be room.")),
    NO_BOUND(is(WARNING)
            .when("The queue has no bound, 10,000 jobs or more, and more come than leave.")
            .then("Set a bound, so that it cannot fill the disk.")),
    KEEPING_UP(is(OK).when("Nothing of the above, and the queue has unfinished jobs.")),
    IDLE(is(OK).when("The queue has no unfinished job.")),
    NEVER_USED(is(UNKNOWN)
            .when("There is no queue of this name. The answer has status 404, and the explanation in `error.details`.")
            .then("Correct the name, or enqueue its first job."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    QueueCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
