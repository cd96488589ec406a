package io.floodgate.gateway.explain;

/** What can be found about a job: how it stands, or how it ended. There is exactly one for a job. */
enum JobCode implements FindingCode {
    PARTITION_SILENT(
            "problem",
            "The partition of the job does not answer, so that its state is not known.",
            "See the runbook of an unavailable partition."),
    SET_ASIDE(
            "problem",
            "Processing the job failed in Floodgate itself; it is quarantined.",
            "Decide about it: GET /ojs/v1/admin/set-aside."),
    RUNNING("ok", "A worker runs the job.", "Nothing."),
    LONG_RUN(
            "warning",
            "A worker runs the job for more than 3 times the average of its queue, and for 1 min or more.",
            "Look at the worker; cancel the job."),
    SILENT_WORKER(
            "problem",
            "A worker has the job, and has sent no heartbeat for more than 10 s.",
            "Look at the worker; the job goes to another one when it is lost."),
    SCHEDULED("ok", "The time of the job has not come.", "Nothing."),
    RETRY("info", "The last attempt failed, and the next one has to wait.", "See how the attempts failed."),
    NOT_ACTIVATED(
            "info, warning",
            "The job was enqueued as pending and is not activated; a warning after 1 h.",
            "Activate or cancel it."),
    MAKING_ROOM("info", "The job is dropped if a batch is stored that needs its capacity.", "Wait a moment."),
    MAINTENANCE("warning", "Maintenance is on: no queue hands out jobs.", "End the maintenance."),
    QUEUE_PAUSED("warning", "The queue of the job is paused.", "Resume the queue."),
    NOBODY_FETCHES(
            "problem",
            "No worker has fetched from the queue of the job for more than 2 min, or ever.",
            "Start workers; check that they name this queue."),
    RATE_LIMITED(
            "info, problem",
            "A rate limit holds the job back; a problem if the concurrency of the key is 0, or if it has waited for 5 min or more and it is not known until when.",
            "Look at the key."),
    TYPE_NOT_FETCHED(
            "problem",
            "Workers fetch from the queue, and for 2 min none asked for the type of the job.",
            "Start workers for this type; look at those that leave it out."),
    VERSION_NOT_ACCEPTED(
            "problem",
            "Workers ask for the type of the job, and for 2 min none accepted its version.",
            "Start workers that accept this version; look at the versions that the others declare."),
    TENANT_NOT_FETCHED(
            "problem",
            "Workers name the tenants whose jobs they take, and for 2 min none named that of the job.",
            "Start workers for this tenant, or some that name none."),
    STARVED(
            "warning",
            "Fetches that name the queue of the job are served by queues that they name first.",
            "Change the order of the queues in the workers."),
    WORKERS_BUSY(
            "info", "The workers of the queue are busy with jobs that come before it.", "Wait, or start more workers."),
    IN_LINE("ok", "Workers wait for jobs of the queue: it is about to be fetched.", "Nothing."),
    COMPLETED("ok", "A run of the job succeeded.", "Nothing."),
    CANCELLED("info", "The job was cancelled.", "Retry it if that was a mistake."),
    ATTEMPTS_USED("warning", "The last attempt of the job failed.", "Correct the cause and retry it."),
    NOT_RETRYABLE(
            "warning",
            "A run failed, and its error or the retry policy ruled out another attempt.",
            "Correct the cause and retry it."),
    EXPIRED(
            "warning",
            "The time to live of the job was over before it was run.",
            "Enqueue it again if it is still wanted."),
    OVERFLOW(
            "warning",
            "The queue was full, and the job made room for a newer one.",
            "Raise the bound, or add workers."),
    RATE_LIMIT_DROPPED(
            "warning",
            "A rate limit was reached, and the job said `on_limit: drop`.",
            "Raise the limit, or let jobs wait."),
    QUEUE_DELETED("info", "The queue of the job was deleted.", "Nothing."),
    WORKER_LOST_ONCE(
            "warning",
            "The worker was lost during a run, and the job said `on_worker_lost: discard`.",
            "Find out whether the run had an effect before you retry it."),
    UNKNOWN_ID(
            "unknown",
            "There is no job with this id. The answer has status 404, and the explanation in `error.details`.",
            "Check the id; finished jobs are removed when their retention is over.");

    private final String severities;
    private final String meaning;
    private final String advice;

    JobCode(String severities, String meaning, String advice) {
        this.severities = severities;
        this.meaning = meaning;
        this.advice = advice;
    }

    @Override
    public String severities() {
        return severities;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String advice() {
        return advice;
    }
}
