package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a schedule. */
enum ScheduleCode implements FindingCode {
    FAILS(is(PROBLEM)
            .when("Its last three runs have ended without success.")
            .then("Look at the errors of its jobs.")
            .title("The last 3 runs of schedule '{name}' have ended without success")
            .text("[The last success was at {last_success_at}.|None of its runs has ever succeeded.]")
            .advise("See why: ./floodgate why job {last_job_id}")),
    SKIPS(is(WARNING)
            .when("Its last three occurrences were skipped, for the reason that is named.")
            .then("End or speed up the run that is in the way, make room in the queue, or allow its jobs there.")
            .title("Schedule '{name}' was skipped at its last 3 occurrences: {reason}")
            .text("Its queue is '{queue}', and its overlap policy '{overlap_policy}'.")
            .advise("See why: ./floodgate why queue {queue}")),
    NOT_PLANNED(is(PROBLEM)
            .when("It is enabled, and when it is due next is not known.")
            .then(
                    "See that a processor has its partition; its log names a time zone or an expression that it cannot read.")
            .title("It is not known when schedule '{name}' is due next")
            .text(
                    "Processors plan ahead as long as one has the partition and can read the expression and the time zone.")
            .advise("See whether its partition is processed.", Docs.MONITOR)),
    PAUSED(is(WARNING)
            .when("It was paused: nothing is run.")
            .then("Resume it.")
            .title("Schedule '{name}' is paused[ since {paused_since}]")
            .text("Nothing is run until it is resumed.")
            .advise("Resume it.", Request.RESUME_SCHEDULE)),
    WAITS_FOR_ROOM(is(WARNING)
            .when("Its run waits for room in a queue that is full.")
            .then("Make room in the queue, or wait: it is skipped when its time is up.")
            .title("{many:run} of schedule '{name}' {many?waits/wait} for room in queue '{queue}'")
            .text("The first was due at {scheduled_at}.")
            .advise("See why it is full: ./floodgate why queue {queue}")),
    PILES_UP(is(WARNING)
            .when("Its overlap policy is `enqueue`, and more than two of its runs wait for the one before.")
            .then(
                    "Make its runs shorter, or run it less often; with the overlap policy `skip` it leaves out what it cannot do.")
            .title("{many:run} of schedule '{name}' wait for the one before")
            .text(
                    "One runs at a time, and more become due meanwhile. The first that has not ended was due at {scheduled_at}.")
            .advise("See what it does: ./floodgate why job {job_id}")),
    RUNS(is(INFO).when("A run is not finished.")
            .then("Nothing, or look at the job.")
            .title("{many:run} of schedule '{name}' {many?has/have} not ended")
            .text("The first was due at {scheduled_at}, and is job {job_id}.")
            .advise("See what it does: ./floodgate why job {job_id}")),
    LATE(is(WARNING)
            .when("Its last run was placed more than a minute late.")
            .then("See whether processors were down, or partitions are behind.")
            .title("The last run of schedule '{name}' was late by {late}")
            .text("It was due at {scheduled_at}.")
            .advise("See whether processors were down.", Docs.MONITOR)),
    ON_TIME(is(OK).when("Nothing of the above.")
            .title("Schedule '{name}' is due next at {next_run_at}, in {next_run_at:in}")
            .text("By the clocks of {timezone}: {local}.")),
    UNKNOWN_SCHEDULE(is(UNKNOWN)
            .when("There is no such schedule. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the name.")
            .title("There is no schedule '{name}'")
            .text("It was not registered, or was removed."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    ScheduleCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
