package io.floodgate.gateway.explain;

/** What can be found about the key of a rate limit. */
enum LimitCode implements FindingCode {
    STOPPED(
            "problem, warning",
            "The concurrency of the key is 0: no job starts under it. A problem if jobs wait.",
            "End the override, or raise the concurrency where the jobs or the queue say it."),
    FROZEN(
            "warning",
            "A worker has reported that no job of the key may start before a time.",
            "Wait until then; or end it, if the service behind the jobs has recovered."),
    HELD_CONCURRENCY(
            "info",
            "As many jobs of the key run as may, and others wait.",
            "Wait, cancel the longest run, which is named, if it hangs, or raise the concurrency."),
    HELD_RATE("info", "The rate of the key is used up, and jobs wait.", "Wait, or raise the rate."),
    HELD_THROTTLE("info", "The next start under the key has to wait, and jobs wait.", "Wait, or raise the rate."),
    OVERRIDDEN(
            "info",
            "An operator has overridden what jobs and queues say of the key.",
            "End the override if it is not needed."),
    FREE("ok", "Nothing of the above: a job of the key can start.", "Nothing."),
    UNKNOWN_KEY(
            "unknown",
            "No job and no queue has this key. The answer has status 404, and the explanation in `error.details`.",
            "Check the key.");

    private final String severities;
    private final String meaning;
    private final String advice;

    LimitCode(String severities, String meaning, String advice) {
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
