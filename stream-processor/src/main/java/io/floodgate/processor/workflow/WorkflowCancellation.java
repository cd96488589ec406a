package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Workflows that are not to go on: nothing else of them starts, and what runs ends as it ends. */
record WorkflowCancellation(
        Workflows workflows, WorkflowStore store, StepJobs jobs, StepWaits waits, StepOutcomes outcomes, Effects out) {
    /**
     * Suffix of the name of a workflow, for the timer that answers the caller of a cancel even if not all jobs have
     * confirmed it.
     */
    static final String ANSWER = "/answer";

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    void cancel(CancelWorkflow command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow == null) return;
        Head head = flow.head;
        if (head.state.hasEnded()) {
            out.reject(Rejection.of(
                            ErrorCode.CONFLICT,
                            "Workflow %s is already in terminal state '%s'."
                                    .formatted(head.shownId(), head.state.wire()))
                    .with("current_state", head.state.wire()));
            return;
        }
        workflows.stopWaking(head.id().toString());
        outcomes.cancelled(flow);
        stop(flow, command.activeToo(), true);
        if (head.unconfirmed == 0) {
            answer(flow, out.replyTo());
        } else {
            head.canceller = out.takeReplyTo();
            workflows.wake(head.id() + ANSWER, out.now().plus(PATIENCE));
        }
        flow.save();
    }

    /** Stops the workflow: neither waiting steps nor jobs that have not started begin any more, only callbacks. */
    void stop(StepFlow flow) {
        stop(flow, false, false);
    }

    private void stop(StepFlow flow, boolean activeToo, boolean callbacksToo) {
        flow.cancelWaiting();
        for (WorkflowNode node : flow.all()) {
            if (node.state == NodeState.LISTENING) waits.cancel(flow, node);
            if (!node.fixed.isJob() || !node.state.isUnderWay() || (node.isUnconfirmed && !activeToo)) continue;
            if (node.fixed.callback() != null && !callbacksToo) continue;
            if (node.state == NodeState.READY) {
                workflows.stopWaking(WorkflowStore.name(flow.head.id(), node.fixed.index()));
                flow.end(node, NodeState.CANCELLED);
                continue;
            }
            if (!node.isUnconfirmed) flow.head.unconfirmed++;
            node.isUnconfirmed = true;
            jobs.cancel(flow, node, activeToo);
        }
        flow.settle();
    }

    /** Takes note that this job has started before, has ended, or never will start. */
    void confirm(StepFlow flow, WorkflowNode node) {
        if (!node.isUnconfirmed) return;
        node.isUnconfirmed = false;
        Head head = flow.head;
        if (--head.unconfirmed > 0 || head.canceller == null) return;
        answerNow(flow);
    }

    /** Answers the caller with what is known by now. */
    void answerNow(StepFlow flow) {
        workflows.stopWaking(flow.head.id() + ANSWER);
        answer(flow, flow.head.canceller);
        flow.head.canceller = null;
        store.put(flow.head);
    }

    private void answer(StepFlow flow, @Nullable ReplyTo canceller) {
        if (canceller != null) out.replyTo(canceller, new Reply.Done(WorkflowViews.cancelled(flow.head)));
    }

    /** Stops a workflow that has taken too long. */
    void timeOut(StepFlow flow) {
        Head head = flow.head;
        if (head.state.hasEnded()) return;
        head.timedOut = true;
        head.add(new Head.StepError(0, "", null, "timeout", "The workflow had not ended by the end of its time.", 0));
        stop(flow);
        workflows.goOn(flow, null, "");
    }
}
