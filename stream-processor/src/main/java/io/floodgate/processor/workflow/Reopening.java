package io.floodgate.processor.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A workflow goes on after jobs of it have failed. Jobs that have completed, failed or are under way stay as they are. All the rest
 * is decided again, as if these had just ended, whatever was decided before.
 */
final class Reopening {
    private Reopening() {}

    /** @param again jobs that have failed, and are made again when it is their turn */
    static void reopen(StepFlow flow, Set<WorkflowNode> again) {
        boolean isStopped = flow.isStoppedWithout(again);
        List<WorkflowNode> all = flow.all();
        List<WorkflowNode> ended = new ArrayList<>();
        for (WorkflowNode node : all) {
            boolean stays = !again.contains(node) && stays(flow, node, isStopped);
            if (stays && node.state.hasEnded()) ended.add(node);
            if (!stays) waitAgain(flow, node);
            node.pending = node.fixed.needs().size();
            node.bad = 0;
        }
        recount(flow, all);
        Head head = flow.head;
        head.state = WorkflowState.RUNNING;
        head.endedAt = null;
        head.timedOut = false;
        head.failedCallback = null;
        head.errors.removeIf(error -> flow.node(error.node()).state != NodeState.FAILED);
        flow.replay(ended);
    }

    /** @param isStopped what was cancelled because of a failure stays so as well */
    private static boolean stays(StepFlow flow, WorkflowNode node, boolean isStopped) {
        boolean neverRan = node.state == NodeState.CANCELLED || node.state == NodeState.SKIPPED;
        if (neverRan && node.fixed.callback() != null)
            return isStopped && flow.node(node.fixed.parent()).state.hasEnded();
        if (neverRan) return isStopped;
        return node.fixed.isLeaf() && node.state != NodeState.WAITING;
    }

    private static void waitAgain(StepFlow flow, WorkflowNode node) {
        flow.count(node, -1);
        node.state = NodeState.WAITING;
        node.startedAt = null;
        node.endedAt = null;
        // A retry of its last job by hand does not count from now on.
        node.job = null;
        node.hasFired = false;
        node.inside = 0;
        node.insideBad = 0;
        node.callbacks = 0;
        node.callbacksBad = 0;
    }

    /**
     * Counts all steps inside as not ended, until they are decided about. A workflow inside in which a step stays is
     * open.
     */
    private static void recount(StepFlow flow, List<WorkflowNode> all) {
        flow.root().state = NodeState.OPEN;
        for (WorkflowNode node : all) {
            if (node.fixed.parent() < 0) continue;
            WorkflowNode parent = flow.node(node.fixed.parent());
            if (node.fixed.callback() == null) parent.inside++;
            else parent.callbacks++;
            if (node.state == NodeState.WAITING) continue;
            for (WorkflowNode up = parent; !up.state.hasEnded(); up = flow.node(up.fixed.parent())) {
                up.state = NodeState.OPEN;
                if (up.fixed.parent() < 0) break;
            }
        }
    }
}
