package io.floodgate.gateway.explain;

/** What can be found about a worker. Of two of the same severity, the first one here is the verdict. */
enum WorkerCode implements FindingCode {
    LOST(
            "problem, info",
            "The worker fell silent without a word; jobs that it had were given to others. A problem for 10 min, then info.",
            "See why it ended; start another one."),
    LEFT("info", "The worker left in good order: it said so, or it was stopping when it fell silent.", "Nothing."),
    SILENT(
            "warning",
            "The last heartbeat is more than 10 s old; after 30 s the worker counts as lost.",
            "Look at the worker."),
    NO_HEARTBEATS(
            "info, warning",
            "The worker has fetched and never sent a heartbeat of its own; a warning if it has jobs, which come back only when their leases end.",
            "Let it send heartbeats."),
    SLOW(
            "warning",
            "At least 10 runs of a type took at least twice as long as at other workers (medians of the last 10 min, 100 ms or more).",
            "Compare its host with those of the others; take it out until the cause is found."),
    TERMINATING("info", "The worker was asked to stop, and finishes what it has.", "Nothing."),
    QUIET("info", "The worker was asked to fetch no more jobs.", "Resume it."),
    FULL("info", "The worker runs as many jobs as it says it can.", "Nothing; more workers if jobs wait."),
    WORKING("ok", "The worker runs jobs.", "Nothing."),
    IDLE("ok", "The worker runs no job.", "Nothing."),
    UNKNOWN_WORKER(
            "unknown",
            "No worker has this id. The answer has status 404, and the explanation in `error.details`.",
            "Check the id; workers are forgotten some time after they are gone.");

    private final String severities;
    private final String meaning;
    private final String advice;

    WorkerCode(String severities, String meaning, String advice) {
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
