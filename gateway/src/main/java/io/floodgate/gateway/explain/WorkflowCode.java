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
            .then("Mend what failed, and retry it.")
            .title("The workflow has failed: [step '{step}' did ({code})|{code}]")
            .text("{message}")
            .since("completed_at")
            .evidence("step code job_id failed_callback")
            .advise("Once that is mended, run what has failed again.", Request.RETRY_WORKFLOW)),
    STEP_SILENT(is(PROBLEM)
            .when("The partition that has the queue of a step has not said how the step stands.")
            .then("See whether the server is well: `floodgate why system`.")
            .steps("Their partition does not answer")
            .advise("See whether the server is well: floodgate why system")),
    STEP_FAILED(is(WARNING)
            .when("The workflow goes on, although a step has failed.")
            .then("Look at the step's error.")
            .title("{jobs_failed} of {jobs_total} jobs have failed")
            .text("The workflow goes on with the others.")),
    STEPS_IN_PAUSED_QUEUE(is(WARNING)
            .when("Steps are in a queue that is paused.")
            .then("Resume the queue.")
            .steps("In a paused queue")
            .advise("[{queue?}Resume the queue.]", Request.RESUME_QUEUE)),
    STEPS_WITHOUT_ROOM(is(WARNING, PROBLEM)
            .when(
                    "Steps wait for room in their queue, in the order in which they came. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("Add workers for the queue, or raise its bound.")
            .steps("[{is_tried?}Without a place in the line of a queue, and tried again|Waiting for room in a queue]")
            .advise("[See why the queue stands so: floodgate why queue {queue}]")),
    STEPS_RETRYING(is(WARNING)
            .when("An attempt of a step has failed, and the next one has to wait.")
            .then("Look at its error.")
            .steps("Waiting for the next attempt")),
    STEPS_AVAILABLE(is(INFO, PROBLEM)
            .when(
                    "Steps are in their queues, and no worker has taken them. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("`floodgate why queue NAME`.")
            .steps("Waiting for a worker")
            .advise("[See why the queue stands so: floodgate why queue {queue}]")),
    STEPS_LIMITED(is(INFO, PROBLEM)
            .when(
                    "A rate limit holds steps back. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.")
            .then("`floodgate why limit KEY`.")
            .steps("Held back by a rate limit")
            .advise("[floodgate why limit {key}]")),
    STEPS_SCHEDULED(
            is(INFO).when("Steps are to run at a later time.").then("Wait.").steps("To run later")),
    STEPS_WAITING_FOR_SIGNAL(is(INFO).when(
                    "Steps wait for a signal from outside of the workflow. The text says for which the first one waits.")
            .then("Send the signal once what it says has happened.")
            .title("Waiting for a signal: [{is_many?}{steps} steps|step '{step}']")
            .text(
                    "Step '{step}' waits for '{event}' with key {key}[ until {until}].[{is_many?} The first are {first}.]")
            .since("since")
            .evidence("reason steps first event key until")
            .advise("Signal it once that has happened.", Request.SEND_SIGNAL)),
    STEPS_RUNNING(is(INFO).when("Steps run.").then("Wait.").steps("Running")),
    STEPS_WAITING(is(INFO).when("Steps wait until others have ended. The text says for which the first one waits.")
            .then("Look at those.")
            .steps("Waiting for other steps")),
    WORKFLOW_CANCELLED(is(OK).when("The workflow was cancelled.").title("The workflow was cancelled")),
    WORKFLOW_COMPLETED(is(OK).when("All of it has ended well.").title("The workflow is completed")),
    WORKFLOW_RUNNING(is(OK).when("The workflow has not ended, and nothing of the above is known of it.")
            .then("Wait.")
            .title("{ended} of {jobs_total} jobs have ended")),
    UNKNOWN_WORKFLOW(is(UNKNOWN)
            .when(
                    "There is no such workflow, or its retention is over. The answer has status 404, and the explanation in `error.details`.")
            .then("Check the id.")
            .title("There is no workflow '{name}'")
            .text("It never came, or its retention is over."));

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
