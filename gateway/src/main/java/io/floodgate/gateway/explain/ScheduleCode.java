package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a schedule. */
enum ScheduleCode implements FindingCode {
    FAILS(is(PROBLEM).when("Its last three runs have ended without success.").then("Look at the errors of its jobs.")),
    SKIPS(is(WARNING)
            .when("Its last three occurrences were skipped, for the reason that is named.")
            .then("End or speed up the run that is in the way, make room in the queue, or allow its jobs there.")),
    NOT_PLANNED(
            is(PROBLEM)
                    .when("It is enabled, and when it is due next is not known.")
                    .then(
                            "See that a processor has its partition; its log names a time zone or an expression that it cannot read.")),
    PAUSED(is(WARNING).when("It was paused: nothing is run.").then("Resume it.")),
    WAITS_FOR_ROOM(is(WARNING)
            .when("Its run waits for room in a queue that is full.")
            .then("Make room in the queue, or wait: it is skipped when its time is up.")),
    PILES_UP(
            is(WARNING)
                    .when("Its overlap policy is `enqueue`, and more than two of its runs wait for the one before.")
                    .then(
                            "Make its runs shorter, or run it less often; with the overlap policy `skip` it leaves out what it cannot do.")),
    RUNS(is(INFO).when("A run is not finished.").then("Nothing, or look at the job.")),
    LATE(is(WARNING)
            .when("Its last run was placed more than a minute late.")
            .then("See whether processors were down, or partitions are behind.")),
    ON_TIME(is(OK).when("Nothing of the above.")),
    UNKNOWN_SCHEDULE(is(UNKNOWN)
            .when("There is no such schedule. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the name."));

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
