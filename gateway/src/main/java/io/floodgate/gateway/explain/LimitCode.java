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
            .then("End the override, or raise the concurrency where the jobs or the queue say it.")
            .title("The rate limit '{key}' is stopped: {waiting:job waits/jobs wait/no job waits}")
            .text("[{override?}An override sets its concurrency to 0[ until {override.expires_at}|, without an end]."
                    + LimitExplainer.SET_BY
                    + "|Its jobs, or the configuration of its queue, set its concurrency to 0.]")
            .since("override.at")
            .evidence("waiting until=override.expires_at by=override.by at=override.at")
            .advise("[{override?}End the override.]", Request.END_OVERRIDE)
            .advise("[{override?}|Raise the concurrency: PUT /ojs/v1/rate-limits/{key}]", Docs.API)),
    FROZEN(is(WARNING)
            .when("A worker has reported that no job of the key may start before a time.")
            .then("Wait until then; or end it, if the service behind the jobs has recovered.")
            .title(
                    "No job of the rate limit '{key}' starts before {frozen_until}: {waiting:job waits/jobs wait/no job waits}")
            .text("A worker reported it[: {frozen_reason}].")
            .evidence("until=frozen_until reason=frozen_reason waiting")
            .advise("If the service behind the jobs has recovered, let them start now.", Request.END_OVERRIDE)),
    HELD_CONCURRENCY(is(INFO).when("As many jobs of the key run as may, and others wait.")
            .then("Wait, cancel the longest run, which is named, if it hangs, or raise the concurrency.")
            .title(
                    "{concurrency.active} of {concurrency.limit} jobs of the rate limit '{key}' run; {waiting:job waits/jobs wait}")
            .text(
                    "The next one starts when one of them ends.[ The longest run is that of job {job_id}, since {started_at}.]")
            .evidence("active=concurrency.active limit=concurrency.limit waiting job_id started_at")
            .advise("[{job_id?}{started_at?}If it hangs, cancel it.]", Request.CANCEL_JOB)),
    HELD_RATE(
            is(INFO).when("The rate of the key is used up, and jobs wait.")
                    .then("Wait, or raise the rate.")
                    .title(
                            "The rate of '{key}' is used up: {rate.limit} per {rate.period}; {waiting:job waits/jobs wait}")
                    .text(
                            "[All of it is free again in {rate.window_resets_at:in} at the latest.|The next one starts when the first start leaves the period.]")
                    .evidence(
                            "limit=rate.limit period=rate.period current_count=rate.current_count window_resets_at=rate.window_resets_at waiting")),
    HELD_THROTTLE(is(INFO).when("The next start under the key has to wait, and jobs wait.")
            .then("Wait, or raise the rate.")
            .title("The next job of '{key}' may start in {throttle.next_allowed_at:in}; {waiting:job waits/jobs wait}")
            .text("Its starts are spread in time.")
            .evidence("next_allowed_at=throttle.next_allowed_at waiting")),
    OVERRIDDEN(is(INFO).when("An operator has overridden what jobs and queues say of the key.")
            .then("End the override if it is not needed.")
            .title("The rate limit '{key}' is overridden [until {override.expires_at}|without an end]")
            .text("What jobs and queues say of the key does not count meanwhile." + LimitExplainer.SET_BY)
            .evidence("expires_at=override.expires_at")
            .advise("End the override if it is not needed any more.", Request.END_OVERRIDE)),
    FREE(is(OK).when("Nothing of the above: a job of the key can start.")
            .title("The rate limit '{key}' holds nothing back: {active:job runs/jobs run}")),
    UNKNOWN_KEY(is(UNKNOWN)
            .when(
                    "No job and no queue has this key. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the key.")
            .title("There is no rate limit '{name}'")
            .text("No unfinished job and no queue has this key."));

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
