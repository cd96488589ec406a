package io.floodgate.processor.workflow;

import io.floodgate.topics.workflow.Callback;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What has failed shall run again: what was cancelled because of it waits again. */
final class Reopening {
    private Reopening() {}

    /** @param failed jobs that have failed; they wait for their turn again, until {@link #resume} */
    static void reopen(StepFlow flow, List<WorkflowNode> failed) {
        Set<WorkflowNode> again = new LinkedHashSet<>(failed);
        Head head = flow.head;
        List<WorkflowNode> all = flow.all();
        for (WorkflowNode node : all) {
            boolean waitsAgain = again.contains(node)
                    || node.state == NodeState.CANCELLED
                    || (node.state == NodeState.SKIPPED && node.fixed.callback() != null);
            boolean mayOpenAgain = !node.fixed.isJob() && node.state == NodeState.FAILED;
            if (!waitsAgain && !mayOpenAgain) continue;
            flow.count(node, -1);
            node.state = mayOpenAgain ? NodeState.OPEN : NodeState.WAITING;
            node.endedAt = null;
        }
        // One that was completed although a job inside of it had failed goes on, too.
        for (WorkflowNode node : again)
            for (int up = node.fixed.parent(); up >= 0; up = flow.node(up).fixed.parent())
                flow.node(up).state = NodeState.OPEN;
        head.failedCallback = null;
        for (WorkflowNode node : all.reversed()) if (!node.fixed.isJob()) recountInside(flow, node);
        for (WorkflowNode node : all) recountNeeds(flow, node);
        head.state = WorkflowState.RUNNING;
        head.endedAt = null;
        head.timedOut = false;
        head.errors.removeIf(error -> again.contains(flow.node(error.node())));
    }

    /** Begins what can begin, and says again of the rest that it cannot. */
    static void resume(StepFlow flow) {
        for (WorkflowNode node : flow.all()) {
            boolean isTop = node.fixed.parent() < 0 || node.fixed.callback() != null;
            if (isTop || node.state != NodeState.WAITING) continue;
            if (flow.node(node.fixed.parent()).state == NodeState.OPEN) flow.decide(node);
        }
        flow.settle();
    }

    private static void recountNeeds(StepFlow flow, WorkflowNode node) {
        node.pending = 0;
        node.bad = 0;
        for (int needed : node.fixed.needs()) {
            WorkflowNode other = flow.node(needed);
            if (!other.state.hasEnded()) node.pending++;
            else if (other.isBad()) node.bad++;
        }
    }

    private static void recountInside(StepFlow flow, WorkflowNode node) {
        node.inside = 0;
        node.insideBad = 0;
        node.callbacks = 0;
        node.callbacksBad = 0;
        node.hasFired = false;
        for (WorkflowNode child : flow.inside(node)) {
            Callback callback = child.fixed.callback();
            boolean isOver = child.state.hasEnded();
            if (callback == null) {
                if (!isOver) node.inside++;
                else if (child.isBad()) node.insideBad++;
            } else if (!isOver) {
                node.callbacks++;
            } else if (child.isBad()) {
                node.callbacksBad++;
                flow.head.failedCallback = callback.wire();
            }
        }
        // Nothing in it runs again.
        boolean isOpen = node.state == NodeState.OPEN && node.fixed.parent() >= 0;
        if (isOpen && node.inside == 0 && node.callbacks == 0) node.state = StepFlow.outcome(node);
    }
}
