package io.floodgate.gateway.explain;

/** What can be found about a workflow. */
enum WorkflowCode implements FindingCode {
    FAILED("problem", "The workflow has failed: a step did, or its time was up.", "Mend what failed, and retry it."),
    STEP_SILENT(
            "problem",
            "The partition that has the queue of a step has not said how the step stands.",
            "See whether the server is well: `floodgate why system`."),
    STEP_FAILED("warning", "The workflow goes on, although a step has failed.", "Look at the step's error."),
    STEPS_IN_PAUSED_QUEUE("warning", "Steps are in a queue that is paused.", "Resume the queue."),
    STEPS_WITHOUT_ROOM(
            "warning, problem",
            "Steps wait for room in their queue, in the order in which they came. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.",
            "Add workers for the queue, or raise its bound."),
    STEPS_RETRYING("warning", "An attempt of a step has failed, and the next one has to wait.", "Look at its error."),
    STEPS_AVAILABLE(
            "info, problem",
            "Steps are in their queues, and no worker has taken them. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.",
            "`floodgate why queue NAME`."),
    STEPS_LIMITED(
            "info, problem",
            "A rate limit holds steps back. A problem if no step runs, and none has ended for 10 min or the queues have a problem themselves.",
            "`floodgate why limit KEY`."),
    STEPS_SCHEDULED("info", "Steps are to run at a later time.", "Wait."),
    STEPS_RUNNING("info", "Steps run.", "Wait."),
    STEPS_WAITING(
            "info",
            "Steps wait until others have ended. The text says for which the first one waits.",
            "Look at those."),
    WORKFLOW_CANCELLED("ok", "The workflow was cancelled.", "Nothing."),
    WORKFLOW_COMPLETED("ok", "All of it has ended well.", "Nothing."),
    WORKFLOW_RUNNING("ok", "The workflow has not ended, and nothing of the above is known of it.", "Wait."),
    UNKNOWN_WORKFLOW(
            "unknown",
            "There is no such workflow, or its retention is over. The answer has status 404, and the explanation in `error.details`.",
            "Check the id.");

    private final String severities;
    private final String meaning;
    private final String advice;

    WorkflowCode(String severities, String meaning, String advice) {
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
