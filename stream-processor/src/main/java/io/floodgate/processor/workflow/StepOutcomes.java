package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.workflow.ForEach;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records how steps and workflows end, and emits events about it. */
final class StepOutcomes implements StepFlow.Listener {
    private static final int MESSAGE_CHARS = 500;
    private static final int CODE_CHARS = 100;

    /** Precision of the progress time, so that a large workflow does not write it with each step. */
    private static final Duration PROGRESS_EXACT_TO = Duration.ofMinutes(1);

    private final WorkflowStore store;
    private final Endings endings;
    private final WorkflowEvents events;
    private final Effects out;

    StepOutcomes(WorkflowStore store, Endings endings, WorkflowEvents events, Effects out) {
        this.store = store;
        this.endings = endings;
        this.events = events;
        this.out = out;
    }

    WorkflowEvents events() {
        return events;
    }

    /** Ends a step whose job has ended. */
    void end(StepFlow flow, WorkflowNode node, OwnerNote note) {
        if (note.state() == JobState.COMPLETED && !note.gone()) {
            byte[] result = note.result();
            keep(flow, node, result, result != null && flow.head.hasRoomForResult(result.length));
            flow.end(node, NodeState.COMPLETED);
        } else if (node.isUnconfirmed && note.state() == JobState.CANCELLED) {
            flow.withdrawn(node);
        } else {
            byte[] error = note.error();
            String code = error == null ? null : MemberWalk.text(error, "code").orElse(null);
            String message =
                    error == null ? null : MemberWalk.text(error, "message").orElse(null);
            String otherwise = note.gone() ? "removed" : note.state().wire();
            fail(
                    flow,
                    node,
                    code == null ? otherwise : code,
                    message == null ? "The job was %s.".formatted(otherwise) : message);
        }
    }

    /** Ends a step that has waited for a signal with what the signal brings: it is small, so that it is always kept. */
    void signalled(StepFlow flow, WorkflowNode node, byte @Nullable [] data) {
        keep(flow, node, data, data != null);
        flow.end(node, NodeState.COMPLETED);
    }

    private void keep(StepFlow flow, WorkflowNode node, byte @Nullable [] outcome, boolean isKept) {
        if (node.hasResult) {
            store.deleteResult(flow.head.id(), node.fixed.index());
            flow.head.resultBytes -= node.resultSize;
        }
        node.resultSize = outcome == null ? 0 : outcome.length;
        node.hasResult = isKept;
        if (outcome == null || !isKept) return;
        flow.head.resultBytes += outcome.length;
        store.putResult(flow.head.id(), node.fixed.index(), outcome);
    }

    void fail(StepFlow flow, WorkflowNode node, String code, String message) {
        Head.StepError error = new Head.StepError(
                node.fixed.index(),
                StepPath.of(flow, node),
                node.job,
                Limits.cut(code, CODE_CHARS),
                Limits.cut(message, MESSAGE_CHARS),
                node.attempt);
        flow.head.add(error);
        // Errors are small, so each is kept: other steps get it in place of a result (OJS results §9.1).
        keep(flow, node, error.toJson(), true);
        flow.end(node, NodeState.FAILED);
    }

    @Override
    public void ended(StepFlow flow, WorkflowNode node) {
        if (!flow.head.progressAt.plus(PROGRESS_EXACT_TO).isAfter(out.now())) store.progress(flow.head, out.now());
        boolean isTold = node.fixed.isLeaf() && node.fixed.callback() == null;
        if (!isTold || (node.state != NodeState.COMPLETED && node.state != NodeState.FAILED)) return;
        events.ended(flow, node);
    }

    @Override
    public boolean expand(StepFlow flow, WorkflowNode node) {
        ForEach list = Objects.requireNonNull(node.fixed.forEach());
        String fault = new StepLists(flow).expand(node, list, store.job(flow.head, node.fixed.index()));
        if (fault != null) fail(flow, node, "no_list", fault);
        return fault == null;
    }

    @Override
    public void fired(StepFlow flow, WorkflowNode callback) {
        events.fired(flow, callback);
    }

    @Override
    public void ended(StepFlow flow) {
        Head head = flow.head;
        store.addRunning(head, -1);
        store.stop(head);
        endings.add(head);
        events.ended(head);
    }

    /** Ends a workflow otherwise than by its steps. */
    void cancelled(StepFlow flow) {
        flow.head.state = WorkflowState.CANCELLED;
        flow.head.cancelledAt = out.now();
        flow.head.endedAt = out.now();
        ended(flow);
    }
}
