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
            .then("See the runbook of an unavailable partition.")
            .title("Partition {partition} of queue '{name}' does not answer")
            .text("Its jobs are neither lost nor run until a processor serves the partition again. " + Silence.TEXT)
            .evidence("partition owner host")
            .advise(Silence.ADVICE, Docs.UNAVAILABLE)),
    MAINTENANCE(Row.maintenance()),
    DRAINING(is(INFO).when("The queue is being deleted.")
            .then("Wait, or delete it with another strategy.")
            .title("Queue '{queue}' is being deleted ({deletion.strategy}): {depth:job} left")
            .text(
                    "It takes no new jobs. [At the present rate it is empty in about {empty_in}.|No job has left it for 5 min.]")
            .since("deletion.since")
            .evidence(
                    "strategy=deletion.strategy target_queue=deletion.target_queue left=depth drains_per_second=leave_per_second")
            .advise("Wait; or delete it with the strategy 'discard' or 'move' to end it at once.")),
    PAUSED(is(PROBLEM, WARNING, INFO)
            .when(
                    "An operator has paused the queue. A problem if jobs wait and producers are held up too; info if no job waits.")
            .then("Resume it.")
            .title("Queue '{queue}' is paused: {available:job waits/jobs wait/no job waits}")
            .text(QueueExplainer.PAUSED)
            .since("paused_at")
            .evidence(QueueExplainer.PAUSED_BY)
            .advise("Resume the queue.", Request.RESUME_QUEUE)),
    LIMIT_STOPPED(is(PROBLEM)
            .when("The concurrency of the queue is 0: no job starts.")
            .then("Raise the concurrency.")
            .title("The concurrency of queue '{queue}' is 0: no job starts")
            .text(
                    "It was set to 0 in the configuration of the queue, or by an override of the key 'queue:{queue}'. {available:job waits/jobs wait/No job waits}.")
            .evidence("concurrency=held.limit available")
            .advise(
                    "Set 'concurrency' in PUT /ojs/v1/queues/{queue}/config, or end the override of the key 'queue:{queue}'.",
                    Docs.API)),
    LIMIT_FROZEN(is(WARNING)
            .when("A worker has reported that nothing of the queue may start before a time.")
            .then("Wait until then, or set the limits of the queue again to start at once.")
            .title("A worker stopped queue '{queue}' until {held.until}")
            .text(
                    "The service behind its jobs asked to wait, and the worker reported it. {available:job waits/jobs wait/No job waits}.")
            .evidence("until=held.until available")
            .advise("Wait until then, or ask the operator of that service.")),
    DROPPING(is(PROBLEM, WARNING)
            .when(
                    "Jobs were dropped to make room for others: a problem within the last 5 to 10 min, a warning within the last hour.")
            .then("More workers, a higher bound, or a strategy that rejects or blocks.")
            .title(
                    "Queue '{queue}' drops jobs: [{recent.dropped} in {window}, {rate:/s}|{dropped_last_hour} within the last hour]")
            .text(
                    "It is full, and its strategy drops the oldest jobs for new ones. They never run: {dropped:job} so far.")
            .since("full_since")
            .evidence("dropped dropped_last_hour dropped_lately=recent.dropped window_seconds")
            .advise("Start more workers, raise the bound, or set the strategy to reject or block.", Docs.FULL)),
    NOBODY_FETCHES(is(PROBLEM)
            .when("Jobs are available, no fetch waits, and no worker has fetched for more than 2 min, or ever.")
            .then("Start workers; check that they name this queue.")
            .title(
                    "No worker has [fetched from queue '{queue}' for {last_fetched_at:ago}|ever fetched from queue '{queue}']: {available:job waits/jobs wait}")
            .text("[{active} still run|None of its jobs runs]. No fetch waits for them now.")
            .since("idle_since")
            .evidence("available oldest_available_at last_fetched_at active")
            .advise(
                    "Start workers that fetch queue '{queue}'. If some run, check that they name this queue.",
                    Docs.NOT_RUN)),
    TYPES_NOT_FETCHED(is(PROBLEM)
            .when(
                    "Available jobs are of types that no fetch of the last 2 min asked for; one has waited for 1 min or more.")
            .then("Start workers for these types; look at the workers that leave them out.")
            .title("No worker asks for jobs of type '{type}'[ and {others:other type}] in queue '{queue}'")
            .text(
                    "Workers fetch from the queue, but none has asked for [{others?}these types|this type] for 2 min. {jobs:job is of such a type/jobs are of such types}, out of the first {ready.sampled} in line.")
            .since("waits_since")
            .evidence("types=not_fetched window_seconds")
            .advise(
                    "[Look at worker '{excluder}': it leaves out '{type}', perhaps because its circuit breaker is open.]",
                    Docs.NOT_RUN)
            .advise("Start workers that take jobs of type '{type}'.")),
    VERSIONS_NOT_ACCEPTED(is(PROBLEM)
            .when(
                    "Available jobs are of versions that no fetch of the last 2 min accepted; one has waited for 1 min or more.")
            .then("Start workers that accept these versions.")
            .title(
                    "No worker accepts version {version} of jobs of type '{type}'[ and {others:other version}] in queue '{queue}'")
            .text(
                    "Workers ask for the type, but none has accepted the version for 2 min. {jobs:job has/jobs have} such a version, out of the first {ready.sampled} in line.")
            .since("waits_since")
            .evidence("versions=not_fetched window_seconds")
            .advise("Start workers that accept version {version} of '{type}'.", Docs.VERSIONS)),
    STARVED(is(WARNING)
            .when(
                    "Fetches name the queue, and for 2 min none came to it: queues that they name first had jobs. A job has waited for 5 min or more.")
            .then("Change the order of the queues in the workers, or give the queue workers of its own.")
            .title("Workers get jobs of other queues before they come to queue '{queue}'")
            .text(
                    "Fetches name this queue, and queues that they name first had jobs. [The last one that got as far as it was {last_reached_at:ago} ago|None has got as far as it yet]; {available:job waits/jobs wait}.")
            .since("idle_since")
            .evidence("last_reached_at last_fetched_at oldest_available_at window_seconds")
            .advise("Name queue '{queue}' earlier in the fetches of some workers.", Docs.NOT_RUN)
            .advise("Or give it workers of its own.")),
    HELD_BY_LIMITS(is(PROBLEM, INFO)
            .when(
                    "Rate limits hold back the queue or more than half of its available jobs. A problem if the oldest has waited for 5 min or more, or at once if the concurrency of the key is 0.")
            .then("Look at the keys that hold jobs back.")
            .title("Rate limits hold back {limited_jobs:job} of queue '{queue}': key '{key}'[ and {others:other key}]")
            .text("Key '{key}': {why}.")
            .evidence("limited_jobs available oldest_available_at")
            .advise("See who holds it: ./floodgate why limit {key}. If the limit is too low, raise it.", Docs.API)),
    WORKERS_LOST(is(PROBLEM)
            .when(
                    "Within the last 10 min workers that ran jobs of the queue fell silent, and fewer run now than they had.")
            .then("Look after these workers, or start others.")
            .title("[{is_one?}Worker '{worker}' was lost|{lost} workers were lost] with {jobs:job} of queue '{queue}'")
            .text(
                    "They fell silent within the last 10 min, and their jobs were given to others or failed. {active:job runs/jobs run} now.")
            .since("lost_at")
            .evidence("workers active window_seconds")
            .advise("See why they ended, and start others.", Docs.WORKER_LOST)),
    STUCK(is(PROBLEM)
            .when(
                    "Jobs run, none has ended for 5 min, and the longest run takes more than 3 times the average and 1 min; 10 min without an average.")
            .then("Look at the longest runs and their workers; cancel them.")
            .title("{active:job runs/jobs run} of queue '{queue}', and none has ended for 5 min")
            .text(
                    "The longest has run for {ran}[ at worker '{worker_id}']; [the average is {average}|no run of the last hour shows how long it should take].")
            .since("started_at")
            .evidence("active longest_run_seconds avg_duration_ms? job_id worker_id timeout_at")
            .advise("Look at what the workers do: their logs, and the services that they call.", Docs.WORKER_LOST)
            .advise("Cancel the longest run.", Request.CANCEL_JOB)),
    FAILING(is(PROBLEM, WARNING)
            .when("Of at least 20 runs of the last 5 to 10 min, half or more failed; a warning from 10% on.")
            .then("Look at one of the failed jobs; pause the queue if the failures harm others.")
            .title("{share:%} of the last {ended:run} of queue '{queue}' failed[, most with '{type}']")
            .text("{recent.failed:run} failed in {window}.[ The last error of type '{type}' in the sample: {message}]")
            .evidence("failed=recent.failed of=ended window_seconds errors=error_sample")
            .advise("[Look at a job that failed: ./floodgate why job {job_id}]")
            .advise(
                    "[{may_pause?}If the failures harm others, pause the queue until the cause is gone.]",
                    Request.PAUSE_QUEUE)),
    DEAD_LETTERS(is(PROBLEM, WARNING, INFO)
            .when(
                    "The queue has dead letters, and the last one came within 24 h: a problem if there are 10 or more, a warning for fewer. Later, info.")
            .then("See why they failed; retry or delete them.")
            .title("Queue '{queue}' has {dead:dead letter}[, the last one came {last_dead_at:ago} ago]")
            .text(
                    "They have used up their attempts, and do not run again by themselves.[ Queue '{config.dead_letter_queue}' is there for them and has not taken these. Events 'floodgate.dead_letter_stayed' say why.]")
            .since("last_dead_at")
            .evidence("dead last_dead_at errors=error_sample")
            .advise(
                    "See why they failed, then retry or delete them: GET /ojs/v1/dead-letter?queue={queue}",
                    Docs.DEAD_LETTERS)),
    WAITING_TO_RETRY(is(WARNING, INFO)
            .when("Half or more of the unfinished jobs wait for their next attempt; info with fewer than 10 of them.")
            .then("See why they fail.")
            .title(
                    "{retryable} of {depth:unfinished job} of queue '{queue}' {retryable?waits/wait} for the next attempt")
            .text("Their last attempts failed." + QueueExplainer.NEXT
                    + "[{is_full?} They use the capacity of the queue meanwhile.]")
            .evidence("retryable depth next_due_at=later.next_due_at errors=error_sample")
            .advise("See why they fail; cancel those that cannot succeed.", Docs.FULL)),
    SCHEDULED_LATER(is(WARNING, INFO)
            .when("Half or more of the unfinished jobs are scheduled for later; a warning if the queue is full.")
            .then("Wait, or raise the bound.")
            .title("{scheduled} of {depth:unfinished job} of queue '{queue}' {scheduled?is/are} scheduled for later")
            .text("They [{is_full?}use the capacity of the queue until they run|do not run before their time]."
                    + QueueExplainer.NEXT)
            .evidence("scheduled depth next_due_at=later.next_due_at")
            .advise("[{is_full?}Raise the bound, or cancel some of them.]", Docs.FULL)),
    NOT_ACTIVATED(is(WARNING)
            .when("Half or more of the unfinished jobs wait to be activated, the oldest for more than 1 h.")
            .then("Activate or cancel them.")
            .title("{pending} of {depth:unfinished job} of queue '{queue}' {pending?waits/wait} for an activation")
            .text(
                    "Their producers enqueued them as pending and have not activated them: the oldest one found has waited for {later.oldest_pending_at:ago}.")
            .since("later.oldest_pending_at")
            .evidence("pending depth oldest_pending_at=later.oldest_pending_at")
            .advise("Activate or cancel them: GET /ojs/v1/jobs?queue={queue}&state=pending lists them.")),
    BEHIND_KEYS(is(WARNING, INFO)
            .when(
                    "Half or more of the unfinished jobs wait for another job of their order key, or one has waited for 15 min; info with fewer than 10 of them for a shorter time.")
            .then("Look at the job that keeps most of them back.")
            .title(
                    "{behind_key} of {depth:unfinished job} of queue '{queue}' {behind_key?waits/wait} for another job of {behind_key?its/their} order key")
            .text("Key '{order_key}' has {jobs_of_key:job}; job {holder} is the one that has to end first.")
            .since("behind_key_since")
            .evidence("behind_key behind_key_since longest_key depth longest")
            .advise("See how that job stands: ./floodgate why job {holder}", Docs.ORDER)),
    LARGE_JOBS(is(WARNING)
            .when("The queue is nearer to its bound in bytes than to that in jobs, and has used 80% of it.")
            .then("Store the data elsewhere and pass references, or raise the bound.")
            .title("Queue '{queue}' has used {share:%} of its bound in bytes")
            .text("{depth:job} take {size_bytes:bytes} of {config.max_size_bytes:bytes}: {each:bytes} each on average.")
            .evidence("size_bytes max_size_bytes=config.max_size_bytes largest")
            .advise("Store the data elsewhere and put references into the jobs.", Docs.FULL)),
    ONE_TENANT(is(WARNING)
            .when("The queue is full, and one tenant has half or more of its jobs.")
            .then("Set a bound for the tenant.")
            .title("Tenant '{tenant_id}' has {share:%} of the jobs of queue '{queue}'")
            .text("The queue is full, so that jobs of other tenants do not get in.")
            .evidence("tenant_id jobs depth")
            .advise("Set a bound for the tenant: PUT /ojs/v1/admin/tenants/{tenant_id}", Docs.FULL)),
    PRODUCERS_FASTER(is(PROBLEM, WARNING, INFO)
            .when(
                    "The queue is bounded, and more jobs are offered than leave, by 5% or more. A problem if it is full, a warning if it will be within 30 min.")
            .then("More workers, or fewer jobs; a higher bound buys time.")
            .title(
                    "Queue '{queue}' [{is_full?}is full|fills]: {offered_per_second:jobs/s} are offered, {leave_per_second:/s} leave[; full in about {full_in}]")
            .text(QueueExplainer.FULL)
            .since("full_since")
            .evidence(QueueExplainer.FLOW + " full_in_seconds active avg_duration_ms?")
            .advise(QueueExplainer.MORE_WORKERS, Docs.FULL)
            .advise("[Or raise the bound: {bound:job} more only buy about {lasts}.]", Request.BOUND_QUEUE)),
    FULL_AND_STILL(is(WARNING)
            .when("The queue is full, and no job has left it for 5 min.")
            .then("See the other findings.")
            .title("Queue '{queue}' is full, and no job has left it for 5 min")
            .text(QueueExplainer.FULL)
            .since("full_since")
            .evidence(QueueExplainer.FLOW)
            .advise("See the other findings: they say what its jobs wait for.", Docs.FULL)),
    FULL_BUT_DRAINING(is(INFO).when("The queue is full, and no more is offered than leaves.")
            .then("Nothing: there will be room.")
            .title("Queue '{queue}' is full and drains[: room in about {room_in}]")
            .text("A burst filled it; now {leave_per_second:jobs/s} leave and {offered_per_second:/s} are offered. "
                    + QueueExplainer.TURNED_AWAY)
            .since("full_since")
            .evidence(QueueExplainer.FLOW + " room_in_seconds")),
    NO_BOUND(is(WARNING)
            .when("The queue has no bound, 10,000 jobs or more, and more come than leave.")
            .then("Set a bound, so that it cannot fill the disk.")
            .title(
                    "Queue '{queue}' has no bound and grows: {depth:job}, {offered_per_second:jobs/s} come, {leave_per_second:/s} leave")
            .text("Nothing stops it before the disk or the memory of its partition is full.")
            .evidence("depth size_bytes offered_per_second leave_per_second")
            .advise(QueueExplainer.MORE_WORKERS, Docs.GROWS)
            .advise("Set a bound: twice what is in it now.", Request.BOUND_QUEUE)),
    KEEPING_UP(
            is(OK).when("Nothing of the above, and the queue has unfinished jobs.")
                    .title(
                            "Queue '{queue}' keeps up: {depth:unfinished job}, {offered_per_second:jobs/s} come, {leave_per_second:/s} leave")),
    IDLE(is(OK).when("The queue has no unfinished job.").title("Queue '{queue}' has no unfinished job")),
    NEVER_USED(is(UNKNOWN)
            .when("There is no queue of this name. The answer has status 404, and the explanation in `error.details`.")
            .then("Correct the name, or enqueue its first job.")
            .title("There is no queue '{name}'")
            .text("A queue comes into being with its first job.[ Queues with similar names: {similar}.]")
            .evidence("similar")
            .advise("Check the name, or enqueue a first job: POST /ojs/v1/jobs {example}"));

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
