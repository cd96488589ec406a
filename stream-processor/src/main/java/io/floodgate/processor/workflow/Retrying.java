package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** Workflows that go on after jobs of theirs have failed. What has completed does not run again, callbacks neither. */
record Retrying(Workflows workflows, WorkflowStore store, StepOutcomes outcomes, Endings endings, Effects out) {
    void retry(RetryWorkflow command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow == null) return;
        Head head = flow.head;
        if (!head.state.hasEnded() || head.state == WorkflowState.CANCELLED) {
            reject(
                    flow,
                    "Only a workflow that has failed, or has completed with failed jobs, can be retried; this one is '%s'.");
            return;
        }
        Set<WorkflowNode> again = new LinkedHashSet<>();
        for (WorkflowNode node : flow.all()) {
            boolean isMeant = command.steps().isEmpty() || command.steps().contains(StepPath.of(flow, node));
            if (isMeant && node.fixed.isLeaf() && node.state == NodeState.FAILED) again.add(node);
        }
        boolean timedOut = head.timedOut && command.steps().isEmpty();
        if (again.isEmpty() && !timedOut) {
            reject(flow, "None of these steps has failed; the workflow is '%s'.");
            return;
        }
        reopen(flow, again);
        workflows.goOn(flow, null, "");
        out.reply(WorkflowViews.lines(flow, 1, GetWorkflow.MAX_LIMIT, false));
    }

    private void reject(StepFlow flow, String message) {
        String state = flow.head.state.wire();
        out.reject(Rejection.of(ErrorCode.CONFLICT, message.formatted(state)).with("current_state", state));
    }

    /** @param again jobs that are made again when it is their turn */
    private void reopen(StepFlow flow, Set<WorkflowNode> again) {
        Head head = flow.head;
        boolean hadEnded = head.state.hasEnded();
        if (hadEnded) {
            endings.remove(head);
            store.forgetFailure(head);
            store.progress(head, out.now());
            store.addRunning(head, 1);
            outcomes.events().resumed(head, Math.max(1, again.size()));
        }
        Duration timeout = head.fixed.timeout();
        if (timeout != null && (hadEnded || head.timedOut)) {
            head.deadline = out.now().plus(timeout);
            workflows.wake(head.id().toString(), head.deadline);
        }
        Reopening.reopen(flow, again);
    }

    /** Returns whether a job that had ended goes on, and its workflow with it. One that was cancelled stays so. */
    boolean goesOn(StepFlow flow, WorkflowNode node) {
        boolean canGoOn = node.state == NodeState.FAILED || node.state == NodeState.CANCELLED;
        if (!canGoOn || flow.head.state == WorkflowState.CANCELLED) return false;
        flow.count(node, -1);
        node.state = NodeState.PLACED;
        node.startedAt = null;
        node.endedAt = null;
        reopen(flow, Collections.emptySet());
        return true;
    }
}
