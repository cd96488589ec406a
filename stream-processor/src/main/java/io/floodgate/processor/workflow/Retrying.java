package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import java.util.List;

/** Workflows that have failed, and go on after all. Callbacks that have run do not run again. */
final class Retrying {
    private final Workflows workflows;
    private final WorkflowStore store;
    private final StepOutcomes outcomes;
    private final Endings endings;
    private final Effects out;

    Retrying(Workflows workflows, WorkflowStore store, StepOutcomes outcomes, Endings endings, Effects out) {
        this.workflows = workflows;
        this.store = store;
        this.outcomes = outcomes;
        this.endings = endings;
        this.out = out;
    }

    void retry(RetryWorkflow command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow == null) return;
        if (flow.head.state != WorkflowState.FAILED) {
            reject(flow, "Only a workflow that has failed can be retried; this one is '%s'.");
            return;
        }
        List<WorkflowNode> again = flow.all().stream()
                .filter(node -> node.fixed.isJob() && node.fixed.callback() == null)
                .filter(node -> node.state == NodeState.FAILED)
                .filter(node -> command.steps().isEmpty() || command.steps().contains(StepPath.of(flow, node)))
                .toList();
        boolean timedOut = flow.head.timedOut && command.steps().isEmpty();
        if (again.isEmpty() && !timedOut) {
            reject(flow, "None of these steps has failed; the workflow is '%s', and callbacks run once.");
            return;
        }
        begin(flow, again);
        Reopening.resume(flow);
        workflows.goOn(flow, null, "");
        out.reply(WorkflowViews.lines(flow, 1, GetWorkflow.MAX_LIMIT, false));
    }

    private void reject(StepFlow flow, String message) {
        String state = flow.head.state.wire();
        out.reject(Rejection.of(ErrorCode.CONFLICT, message.formatted(state)).with("current_state", state));
    }

    private void begin(StepFlow flow, List<WorkflowNode> again) {
        endings.remove(flow.head);
        Reopening.reopen(flow, again);
        store.addRunning(flow.head, 1);
        outcomes.events().resumed(flow.head, again.size());
    }

    /** A job that had failed is run again by hand, and its workflow goes on with it. */
    void reopened(StepFlow flow, WorkflowNode node) {
        boolean hasFailed = flow.head.state == WorkflowState.FAILED && node.state == NodeState.FAILED;
        if (hasFailed && node.fixed.callback() == null) {
            begin(flow, List.of(node));
            node.state = NodeState.PLACED;
            Reopening.resume(flow);
        }
        workflows.goOn(flow, null, "");
    }
}
