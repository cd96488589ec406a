package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about the key of a rate limit. */
enum LimitCode implements FindingCode {
    STOPPED(is(PROBLEM, WARNING)
            .when("The concurrency of the key is 0: no job starts under it. A problem if jobs wait.")
            .then("End the override, or raise the concurrency where the jobs or the queue say it.")),
    FROZEN(is(WARNING)
            .when("A worker has reported that no job of the key may start before a time.")
            .then("Wait until then; or end it, if the service behind the jobs has recovered.")),
    HELD_CONCURRENCY(is(INFO).when("As many jobs of the key run as may, and others wait.")
            .then("Wait, cancel the longest run, which is named, if it hangs, or raise the concurrency.")),
    HELD_RATE(is(INFO).when("The rate of the key is used up, and jobs wait.").then("Wait, or raise the rate.")),
    HELD_THROTTLE(is(INFO).when("The next start under the key has to wait, and jobs wait.")
            .then("Wait, or raise the rate.")),
    OVERRIDDEN(is(INFO).when("An operator has overridden what jobs and queues say of the key.")
            .then("End the override if it is not needed.")),
    FREE(is(OK).when("Nothing of the above: a job of the key can start.")),
    UNKNOWN_KEY(is(UNKNOWN)
            .when(
                    "No job and no queue has this key. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the key."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    LimitCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
