package io.floodgate.gateway.explain;

/** What can be found about a queue. Of two of the same severity, the first one here is the verdict. */
enum QueueCode implements FindingCode {
    PARTITION_SILENT(
            "problem",
            "The partition of the queue does not answer. The processor that has it is named if Kafka knows one; the figures are the last published ones, and no action is advised.",
            "See the runbook of an unavailable partition."),
    MAINTENANCE("warning", "Maintenance is on: no queue hands out jobs.", "End the maintenance."),
    DRAINING("info", "The queue is being deleted.", "Wait, or delete it with another strategy."),
    PAUSED(
            "problem, warning, info",
            "An operator has paused the queue. A problem if jobs wait and producers are held up too; info if no job waits.",
            "Resume it."),
    LIMIT_STOPPED("problem", "The concurrency of the queue is 0: no job starts.", "Raise the concurrency."),
    LIMIT_FROZEN(
            "warning",
            "A worker has reported that nothing of the queue may start before a time.",
            "Wait until then, or set the limits of the queue again to start at once."),
    DROPPING(
            "problem, warning",
            "Jobs were dropped to make room for others: a problem within the last 5 to 10 min, a warning within the last hour.",
            "More workers, a higher bound, or a strategy that rejects or blocks."),
    NOBODY_FETCHES(
            "problem",
            "Jobs are available, no fetch waits, and no worker has fetched for more than 2 min, or ever.",
            "Start workers; check that they name this queue."),
    TYPES_NOT_FETCHED(
            "problem",
            "Available jobs are of types that no fetch of the last 2 min asked for; one has waited for 1 min or more.",
            "Start workers for these types; look at the workers that leave them out."),
    VERSIONS_NOT_ACCEPTED(
            "problem",
            "Available jobs are of versions that no fetch of the last 2 min accepted; one has waited for 1 min or more.",
            "Start workers that accept these versions."),
    STARVED(
            "warning",
            "Fetches name the queue, and for 2 min none came to it: queues that they name first had jobs. A job has waited for 5 min or more.",
            "Change the order of the queues in the workers, or give the queue workers of its own."),
    HELD_BY_LIMITS(
            "problem, info",
            "Rate limits hold back the queue or more than half of its available jobs. A problem if the oldest has waited for 5 min or more, or at once if the concurrency of the key is 0.",
            "Look at the keys that hold jobs back."),
    WORKERS_LOST(
            "problem",
            "Within the last 10 min workers that ran jobs of the queue fell silent, and fewer run now than they had.",
            "Look after these workers, or start others."),
    STUCK(
            "problem",
            "Jobs run, none has ended for 5 min, and the longest run takes more than 3 times the average and 1 min; 10 min without an average.",
            "Look at the longest runs and their workers; cancel them."),
    FAILING(
            "problem, warning",
            "Of at least 20 runs of the last 5 to 10 min, half or more failed; a warning from 10% on.",
            "Look at one of the failed jobs; pause the queue if the failures harm others."),
    DEAD_LETTERS(
            "problem, warning, info",
            "The queue has dead letters, and the last one came within 24 h: a problem if there are 10 or more, a warning for fewer. Later, info.",
            "See why they failed; retry or delete them."),
    WAITING_TO_RETRY(
            "warning, info",
            "Half or more of the unfinished jobs wait for their next attempt; info with fewer than 10 of them.",
            "See why they fail."),
    SCHEDULED_LATER(
            "warning, info",
            "Half or more of the unfinished jobs are scheduled for later; a warning if the queue is full.",
            "Wait, or raise the bound."),
    NOT_ACTIVATED(
            "warning",
            "Half or more of the unfinished jobs wait to be activated, the oldest for more than 1 h.",
            "Activate or cancel them."),
    LARGE_JOBS(
            "warning",
            "The queue is nearer to its bound in bytes than to that in jobs, and has used 80% of it.",
            "Store the data elsewhere and pass references, or raise the bound."),
    ONE_TENANT(
            "warning",
            "The queue is full, and one tenant has half or more of its jobs.",
            "Set a bound for the tenant."),
    PRODUCERS_FASTER(
            "problem, warning, info",
            "The queue is bounded, and more jobs are offered than leave, by 5% or more. A problem if it is full, a warning if it will be within 30 min.",
            "More workers, or fewer jobs; a higher bound buys time."),
    FULL_AND_STILL("warning", "The queue is full, and no job has left it for 5 min.", "See the other findings."),
    FULL_BUT_DRAINING("info", "The queue is full, and no more is offered than leaves.", "Nothing: there will be room."),
    NO_BOUND(
            "warning",
            "The queue has no bound, 10,000 jobs or more, and more come than leave.",
            "Set a bound, so that it cannot fill the disk."),
    KEEPING_UP("ok", "Nothing of the above, and the queue has unfinished jobs.", "Nothing."),
    IDLE("ok", "The queue has no unfinished job.", "Nothing."),
    NEVER_USED(
            "unknown",
            "There is no queue of this name. The answer has status 404, and the explanation in `error.details`.",
            "Correct the name, or enqueue its first job.");

    private final String severities;
    private final String meaning;
    private final String advice;

    QueueCode(String severities, String meaning, String advice) {
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
