package io.floodgate.processor.workflow;

import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.StepWaitReason;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the steps of one workflow as they are shown: one row for each, with the reason why it has not ended. */
final class StepViews {
    /** A larger result is shown only where results are asked for. */
    private static final int SMALL_RESULT = 4_096;

    /** Most bytes of results in one answer; further ones are shown as references. */
    private static final int MOST_RESULT_BYTES = 768 * 1024;

    /** Dependencies that are named in one answer: a graph has up to 100,000. */
    private static final int MAX_DEPENDENCIES = 10_000;

    private static final int MOST_NAMED = 20;
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final StepFlow flow;
    private final boolean allResults;
    private int resultBytes;
    private int dependencies;

    StepViews(StepFlow flow, boolean allResults) {
        this.flow = flow;
        this.allResults = allResults;
    }

    void write(WorkflowNode node, JsonOut out) {
        WorkflowNode.Fixed fixed = node.fixed;
        out.beginObject().field("index", fixed.position()).field("id", StepPath.of(flow, node));
        if (fixed.parent() > 0) out.field("parent", StepPath.of(flow, flow.node(fixed.parent())));
        else if (fixed.callback() != null) out.field("of_workflow", true);
        if (fixed.callback() != null) out.field("callback", fixed.callback().wire());
        out.field("type", fixed.isLeaf() ? fixed.type() : fixed.inside().wire());
        if (!fixed.isJob()) out.field("kind", fixed.isLeaf() ? "wait" : "workflow");
        out.field("state", node.state.wire());
        if (fixed.isJob()) {
            out.field("queue", fixed.queue());
            if (node.job == null) out.fieldRaw("job_id", NULL);
            else out.field("job_id", node.job.toString());
        }
        writeDependencies(fixed.needs(), out);
        if (node.run > 1) out.field("run", node.run);
        if (node.attempt > 0) out.field("attempt", node.attempt);
        out.optional("ready_at", node.readyAt)
                .optional("enqueued_at", node.placedAt)
                .optional("started_at", node.startedAt)
                .optional("completed_at", node.endedAt);
        writeResult(node, out);
        byte[] error = flow.error(node);
        if (error != null) out.members(error);
        writeReason(node, out);
        out.endObject().newLine();
    }

    /** Writes all dependencies of a step or none: a reader must not take some for all. */
    private void writeDependencies(List<Integer> needs, JsonOut out) {
        boolean isShown = needs.size() <= MAX_DEPENDENCIES - dependencies;
        if (isShown) dependencies += needs.size();
        List<Integer> shown = isShown ? needs : List.of();
        out.field(
                "depends_on",
                shown.stream().map(index -> StepPath.of(flow, flow.node(index))).toList());
        if (!isShown) out.field("depends_on_omitted", needs.size());
    }

    private void writeResult(WorkflowNode node, JsonOut out) {
        if (node.state != NodeState.COMPLETED || node.resultSize == 0) return;
        boolean isShown = node.hasResult
                && (allResults || node.resultSize <= SMALL_RESULT)
                && (resultBytes == 0 || resultBytes + node.resultSize <= MOST_RESULT_BYTES);
        byte[] result = isShown ? flow.store.result(flow.head.id(), node.fixed.index()) : null;
        if (result == null) {
            out.fieldRaw("result", StepResults.reference(flow, node));
            return;
        }
        resultBytes += result.length;
        out.fieldRaw("result", result);
    }

    /** Writes the reason, unless the job is in its queue, which knows more. */
    private void writeReason(WorkflowNode node, JsonOut out) {
        if (node.state.hasEnded() || node.state == NodeState.OPEN || node.state == NodeState.PLACED) return;
        out.beginObject("waits");
        switch (node.state) {
            case WAITING -> {
                WorkflowNode held = waitsAt(node);
                out.field("reason", StepWaitReason.WAITS_FOR.wire())
                        .field(
                                "steps",
                                firstNeeded(held)
                                        .map(other -> StepPath.of(flow, other))
                                        .toList())
                        .field("steps_total", unended(held));
            }
            case LISTENING -> {
                SignalName name = Objects.requireNonNull(StepWaits.signal(flow.head, node));
                out.field("reason", StepWaitReason.SIGNAL.wire())
                        .field("event", name.event())
                        .field("key", name.key())
                        .optional("since", node.readyAt)
                        .optional("until", StepWaits.until(node));
            }
            case IN_LINE -> out.field("reason", StepWaitReason.NO_ROOM.wire()).field("queue", node.fixed.queue());
            case READY ->
                out.field("reason", (node.tries == 0 ? StepWaitReason.LOG_SILENT : StepWaitReason.OWN_LINE_FULL).wire())
                        .field("queue", node.fixed.queue());
            default -> out.field("reason", StepWaitReason.LOG_SILENT.wire()).field("queue", node.fixed.queue());
        }
        out.endObject();
    }

    /** The step itself, or the one around it that waits for others. */
    private WorkflowNode waitsAt(WorkflowNode node) {
        for (WorkflowNode up = node; up != null; up = above(up)) if (unended(up) > 0) return up;
        return node;
    }

    /**
     * Returns the number of steps that have to end before this one runs. They are counted, since a graph may have the
     * square of its steps.
     */
    private int unended(WorkflowNode node) {
        WorkflowNode parent = above(node);
        return node.fixed.callback() == null || parent == null ? node.pending : parent.inside;
    }

    private Stream<WorkflowNode> firstNeeded(WorkflowNode node) {
        WorkflowNode parent = above(node);
        Stream<WorkflowNode> needed = node.fixed.callback() == null || parent == null
                ? node.fixed.needs().stream().map(flow::node)
                : flow.inside(parent).stream().filter(other -> other.fixed.callback() == null);
        return needed.filter(other -> !other.state.hasEnded()).limit(MOST_NAMED);
    }

    private @Nullable WorkflowNode above(WorkflowNode node) {
        return node.fixed.parent() < 0 ? null : flow.node(node.fixed.parent());
    }
}
