package io.floodgate.gateway.explain;

import static io.floodgate.gateway.explain.Row.is;
import static io.floodgate.gateway.explain.Severity.INFO;
import static io.floodgate.gateway.explain.Severity.OK;
import static io.floodgate.gateway.explain.Severity.PROBLEM;
import static io.floodgate.gateway.explain.Severity.UNKNOWN;
import static io.floodgate.gateway.explain.Severity.WARNING;

/** What can be found about a workflow. */
enum WorkflowCode implements FindingCode {
    FAILED(is(PROBLEM)
            .when("The workflow has failed: a step did, or its time was up.")
            .then("Mend what failed, and retry it.")),
    STEP_SILENT(is(PROBLEM)
            .when("The partition that has the queue of a step has not said how the step stands.")
            .then("See whether the server is well: `floodgate why system`.")),
    STEP_FAILED(is(WARNING)
            .when("The workflow goes on, although a step has failed.")
            .then("Look at the step's error.")),
    STEPS_IN_PAUSED_QUEUE(
            is(WARNING).when("Steps are in a queue that is paused.").then("Resume the queue.")),
    STEPS_WITHOUT_ROOM(is(WARNING, PROBLEM)
            .when(
                    "Steps wait for room in their queue, in the order in which they came. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("Add workers for the queue, or raise its bound.")),
    STEPS_RETRYING(is(WARNING)
            .when("An attempt of a step has failed, and the next one has to wait.")
            .then("Look at its error.")),
    STEPS_AVAILABLE(is(INFO, PROBLEM)
            .when(
                    "Steps are in their queues, and no worker has taken them. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("`floodgate why queue NAME`.")),
    STEPS_LIMITED(is(INFO, PROBLEM)
            .when(
                    "A rate limit holds steps back. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("`floodgate why limit KEY`.")),
    STEPS_SCHEDULED(is(INFO).when("Steps are to run at a later time.").then("Wait.")),
    STEPS_RUNNING(is(INFO).when("Steps run.").then("Wait.")),
    STEPS_WAITING(is(INFO).when("Steps wait until others have ended. The text says for which the first one waits.")
            .then("Look at those.")),
    WORKFLOW_CANCELLED(is(OK).when("The workflow was cancelled.")),
    WORKFLOW_COMPLETED(is(OK).when("All of it has ended well.")),
    WORKFLOW_RUNNING(is(OK).when("The workflow has not ended, and nothing of the above is known of it.")
            .then("Wait.")),
    UNKNOWN_WORKFLOW(is(UNKNOWN)
            .when(
                    "There is no such workflow, or its retention is over. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id."));

    // Made here, and never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Row row;

    WorkflowCode(Row row) {
        this.row = row;
    }

    @Override
    public Row row() {
        return row;
    }
}
