package io.floodgate.gateway.explain;

/** What can be found about a schedule. */
enum ScheduleCode implements FindingCode {
    FAILS("problem", "Its last three runs have ended without success.", "Look at the errors of its jobs."),
    SKIPS(
            "warning",
            "Its last three occurrences were skipped, for the reason that is named.",
            "End or speed up the run that is in the way, make room in the queue, or allow its jobs there."),
    NOT_PLANNED(
            "problem",
            "It is enabled, and when it is due next is not known.",
            "See that a processor has its partition; its log names a time zone or an expression that it cannot read."),
    PAUSED("warning", "It was paused: nothing is run.", "Resume it."),
    WAITS_FOR_ROOM(
            "warning",
            "Its run waits for room in a queue that is full.",
            "Make room in the queue, or wait: it is skipped when its time is up."),
    PILES_UP(
            "warning",
            "Its overlap policy is `enqueue`, and more than two of its runs wait for the one before.",
            "Make its runs shorter, or run it less often; with the overlap policy `skip` it leaves out what it cannot do."),
    RUNS("info", "A run is not finished.", "Nothing, or look at the job."),
    LATE(
            "warning",
            "Its last run was placed more than a minute late.",
            "See whether processors were down, or partitions are behind."),
    ON_TIME("ok", "Nothing of the above.", "Nothing."),
    UNKNOWN_SCHEDULE(
            "unknown",
            "There is no such schedule. The answer has status 404, and the explanation in `error.details`.",
            "Check the name.");

    private final String severities;
    private final String meaning;
    private final String advice;

    ScheduleCode(String severities, String meaning, String advice) {
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
