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
            .then("See the runbook of an unavailable partition.")
            .title("Partition {partition} of job {name} does not answer")
            .text("The job is not lost; its state is not known until a processor serves the partition again. "
                    + Silence.TEXT)
            .evidence("partition owner host")
            .advise(Silence.ADVICE, Docs.UNAVAILABLE)),
    SET_ASIDE(is(PROBLEM)
            .when("Processing the job failed in Floodgate itself; it is quarantined.")
            .then("Decide about it: GET /ojs/v1/admin/set-aside.")
            .title("Job {job_id} is quarantined")
            .text("Processing it failed in Floodgate itself, so it is left alone until an operator decides.")
            .advise("See GET /ojs/v1/admin/set-aside.", Docs.QUARANTINE)),
    RUNNING(is(OK).when("A worker runs the job.")
            .title("Job {job_id} has run for {ran} at " + JobExplainer.RUN)
            .since("started_at")
            .evidence("worker_id started_at lease_expires_at progress=share_done")),
    LONG_RUN(is(WARNING)
            .when("A worker runs the job for more than 3 times the average of its queue, and for 1 min or more.")
            .then("Look at the worker; cancel the job.")
            .title("Job {job_id} has run for {ran} at " + JobExplainer.RUN)
            .text("Runs of queue '{queue}' take {average} on average.")
            .since("started_at")
            .evidence("worker_id started_at lease_expires_at progress=share_done avg_duration_ms")
            .advise("Look at what the worker does.", Docs.NOT_RUN)
            .advise("Or cancel the job; the worker learns it with its next heartbeat.", Request.CANCEL_JOB)),
    SILENT_WORKER(is(PROBLEM)
            .when("A worker has the job, and has sent no heartbeat for more than 10 s.")
            .then("Look at the worker; the job goes to another one when it is lost.")
            .title(
                    "Job {job_id} is at [worker '{worker_id}'|a worker without a name], which has been silent for {last_heartbeat_at:ago}")
            .text("After 30 s without a heartbeat the worker counts as lost, and the job is given to another one.")
            .since("last_heartbeat_at")
            .evidence("worker_id started_at lease_expires_at progress=share_done last_heartbeat_at")
            .advise("Look at the worker.", Docs.WORKER_LOST)),
    SCHEDULED(is(OK).when("The time of the job has not come.")
            .title("Job {job_id} is scheduled for [{waiting.until}|later]")
            .text("[That is in {waiting.until:in}.]")
            .evidence("until=waiting.until")),
    RETRY(is(INFO).when("The last attempt failed, and the next one has to wait.")
            .then("See how the attempts failed.")
            .title(
                    "Job {job_id} failed in attempt {attempt} of {max_attempts} and is tried again at [{waiting.until}|a later time]")
            .text("[The last error: {last_error}]")
            .evidence("until=waiting.until error=last_error")
            .advise("If it cannot succeed, cancel it.", Request.CANCEL_JOB)),
    NOT_ACTIVATED(is(INFO, WARNING)
            .when("The job was enqueued as pending and is not activated; a warning after 1 h.")
            .then("Activate or cancel it.")
            .title("Job {job_id} has waited for {waited} to be activated")
            .text("It was enqueued as pending: it runs when its producer activates it.")
            .since("enqueued_at")
            .advise("Activate it.", Request.ACTIVATE_JOB)),
    MAKING_ROOM(is(INFO).when("The job is dropped if a batch is stored that needs its capacity.")
            .then("Wait a moment.")
            .title("Job {job_id} is about to make room for a batch")
            .text("It is dropped if the batch is stored, and runs otherwise. That is decided within a minute.")),
    MAINTENANCE(Row.maintenance()),
    QUEUE_PAUSED(is(WARNING)
            .when("The queue of the job is paused.")
            .then("Resume the queue.")
            .title("Job {job_id} waits because queue '{queue}' is paused")
            .text(QueueExplainer.PAUSED)
            .since("paused_at")
            .evidence(QueueExplainer.PAUSED_BY)
            .advise("Resume the queue.", Request.RESUME_QUEUE)),
    BEHIND_KEY(is(INFO, WARNING, PROBLEM)
            .when(
                    "Another job with the order key of the job has to end first; a warning after 5 min, a problem if that one is quarantined.")
            .then("Look at that job: cancel it, or skip it.")
            .title("Job {job_id} waits for job {waiting.holder} of its key '{waiting.order_key}', which {holder}")
            .text(
                    "[{waiting.jobs_of_key:job has/jobs have}] that key; they start one at a time, in the order in which they came.")
            .since("enqueued_at")
            .evidence(
                    "order_key=waiting.order_key holder=waiting.holder holder_state=waiting.holder_state holder_attempt=waiting.holder_attempt until=waiting.until? jobs_of_key=waiting.jobs_of_key")
            .advise("See how that job stands: ./floodgate why job {waiting.holder}", Docs.ORDER)
            .advise("[{can_skip?}Let the other jobs of its key go before that job.]", Request.SKIP_HOLDER)
            .advise("If that job cannot succeed, cancel it.", Request.CANCEL_HOLDER)),
    NOBODY_FETCHES(is(PROBLEM)
            .when("No worker has fetched from the queue of the job for more than 2 min, or ever.")
            .then("Start workers; check that they name this queue.")
            .title(
                    "No worker has [fetched from queue '{queue}' for {waiting.last_fetched_at:ago}|ever fetched from queue '{queue}']")
            .text("Job {job_id} waits" + JobExplainer.POSITION + ".")
            .since("waiting.last_fetched_at")
            .evidence("last_fetched_at=waiting.last_fetched_at position=waiting.position")
            .advise("Start workers that fetch queue '{queue}'.", Docs.NOT_RUN)),
    RATE_LIMITED(is(INFO, PROBLEM)
            .when(
                    "A rate limit holds the job back; a problem if the concurrency of the key is 0, or if it has waited for 5 min or more and it is not known until when.")
            .then("Look at the key.")
            .title("The rate limit '{limited_by.key}' holds back job {job_id}")
            .text("Key '{limited_by.key}': {held}.")
            .since("enqueued_at")
            .evidence("limit*")
            .advise("See who holds it: ./floodgate why limit {limited_by.key}", Docs.API)),
    TENANT_AT_CONCURRENCY(is(INFO).when(
                    "As many jobs of the tenant of the job run, over all queues, as may run at once.")
            .then("Wait for one of them to end; or raise `max_concurrency` of the tenant.")
            .title(
                    "Job {job_id} waits because its tenant '{waiting.tenant_id}' has as many jobs running as it may have: {waiting.max_concurrency}")
            .text("It starts when one of these ends[: most run in {waiting.most_in}].")
            .since("enqueued_at")
            .evidence(
                    "tenant_id=waiting.tenant_id max_concurrency=waiting.max_concurrency most_in=waiting.most_in? position=waiting.position?")
            .advise("See which queues use it up: ./floodgate why tenant {waiting.tenant_id}", Docs.TENANT_BOUNDS)),
    TYPE_NOT_FETCHED(is(PROBLEM)
            .when("Workers fetch from the queue, and for 2 min none asked for the type of the job.")
            .then("Start workers for this type; look at those that leave it out.")
            .title("No worker asks for jobs of type '{type}'")
            .text("Workers fetch from queue '{queue}', but none has asked for this type for 2 min.")
            .since("enqueued_at")
            .evidence("type window_seconds")
            .advise("Start workers that take jobs of type '{type}'.", Docs.NOT_RUN)),
    VERSION_NOT_ACCEPTED(is(PROBLEM)
            .when("Workers ask for the type of the job, and for 2 min none accepted its version.")
            .then("Start workers that accept this version; look at the versions that the others declare.")
            .title("No worker accepts version {waiting.job_version} of jobs of type '{type}'")
            .text("Workers fetch such jobs from queue '{queue}', but none has accepted this version for 2 min.")
            .since("enqueued_at")
            .evidence("type version=waiting.job_version window_seconds")
            .advise("Start workers that accept version {waiting.job_version}.", Docs.VERSIONS)),
    TENANT_NOT_FETCHED(is(PROBLEM)
            .when("Workers name the tenants whose jobs they take, and for 2 min none named that of the job.")
            .then("Start workers for this tenant, or some that name none.")
            .title("No worker takes jobs of tenant '{waiting.tenant_id}'")
            .text(
                    "Workers fetch such jobs from queue '{queue}' for tenants that they name, and none has named this one for 2 min.")
            .since("enqueued_at")
            .evidence("tenant=waiting.tenant_id window_seconds")
            .advise("Start workers for tenant '{waiting.tenant_id}', or some that name no tenants.", Docs.NOT_RUN)),
    STARVED(is(WARNING)
            .when("Fetches that name the queue of the job are served by queues that they name first.")
            .then("Change the order of the queues in the workers.")
            .title("Workers get jobs of other queues before they come to queue '{queue}'")
            .text("Job {job_id} waits" + JobExplainer.POSITION
                    + ". Fetches name its queue, and queues that they name first had jobs.")
            .since("enqueued_at")
            .evidence("position=waiting.position")
            .advise("Name queue '{queue}' earlier in the fetches of some workers.", Docs.NOT_RUN)),
    WORKERS_BUSY(is(INFO).when("The workers of the queue are busy with jobs that come before it.")
            .then("Wait, or start more workers.")
            .title("Job {job_id} waits" + JobExplainer.POSITION)
            .text(
                    "The workers of queue '{queue}' are busy.[ {waiting.ahead_higher_priority} of them with a higher priority.][ At the present rate it starts in about {estimate}.]")
            .since("enqueued_at")
            .evidence("position=waiting.position ahead_higher_priority=waiting.ahead_higher_priority? starts_in")
            .advise("Wait, or start more workers for its queue.")),
    IN_LINE(is(OK).when("Workers wait for jobs of the queue: it is about to be fetched.")
            .title("Job {job_id} waits" + JobExplainer.POSITION)
            .text("Workers wait for jobs of queue '{queue}'.")
            .since("enqueued_at")
            .evidence("position=waiting.position")),
    COMPLETED(is(OK).when("A run of the job succeeded.")
            .title("Job {job_id} succeeded")
            .text("[It ran for {ran}, in attempt {attempt} of {max_attempts}.]")
            .since("completed_at")
            .evidence("completed_at")),
    CANCELLED(is(INFO).when("The job was cancelled.")
            .then("Retry it if that was a mistake.")
            .title("Job {job_id} was cancelled[ while it was {previous_state}]")
            .since("cancelled_at")
            .evidence("cancelled_at previous_state")
            .retry("If that was a mistake, retry it.")),
    ATTEMPTS_USED(is(WARNING)
            .when("The last attempt of the job failed.")
            .then("Correct the cause and retry it.")
            .discarded("all its attempts failed ({attempt} of {max_attempts})")
            .retry("Correct the cause, then retry it.")),
    NOT_RETRYABLE(is(WARNING)
            .when("A run failed, and its error or the retry policy ruled out another attempt.")
            .then("Correct the cause and retry it.")
            .discarded("its error ruled out another attempt (attempt {attempt} of {max_attempts})")
            .retry("Correct the cause, then retry it.")),
    EXPIRED(is(WARNING)
            .when("The time to live of the job was over before it was run.")
            .then("Enqueue it again if it is still wanted.")
            .discarded("its time to live was over before it was run")
            .advise("Enqueue it again if it is still wanted.")),
    OVERFLOW(is(WARNING)
            .when("The queue was full, and the job made room for a newer one.")
            .then("Raise the bound, or add workers.")
            .discarded("its queue was full, and it made room for a newer job")
            .retry("Correct the cause, then retry it.")),
    RATE_LIMIT_DROPPED(is(WARNING)
            .when("A rate limit was reached, and the job said `on_limit: drop`.")
            .then("Raise the limit, or let jobs wait.")
            .discarded("a rate limit was reached, and it was not to wait")
            .retry("Correct the cause, then retry it.")),
    QUEUE_DELETED(is(INFO).when("The queue of the job was deleted.").discarded("its queue was deleted")),
    WORKER_LOST_ONCE(is(WARNING)
            .when("The worker was lost during a run, and the job said `on_worker_lost: discard`.")
            .then("Find out whether the run had an effect before you retry it.")
            .discarded("its worker was lost, and it was not to be run twice")
            .retry("Find out whether the run had an effect; then retry it.")),
    UNKNOWN_ID(
            is(UNKNOWN)
                    .when(
                            "There is no job with this id. The answer has status 404, and the explanation in `error.details`.")
                    .then("Check the id; finished jobs are removed when their retention is over.")
                    .title("There is no job {name}")
                    .text(
                            "[It is gone. The last event about it that this gateway has kept: {last_event}.|Either it never existed, or it ended and was removed when its retention was over.]"));

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
