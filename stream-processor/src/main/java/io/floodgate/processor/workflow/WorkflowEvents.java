package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** The events of workflows on {@code ojs.events} (OJS workflows, appendix B). */
record WorkflowEvents(Effects out) {
    /** Queues that an event names. */
    private static final int MAX_NAMED = 50;

    void created(Head head) {
        emit("workflow.created", head, data -> {});
        emit("workflow.started", head, data -> {});
    }

    void resumed(Head head, int steps) {
        emit("workflow.resumed", head, data -> data.field("steps", steps));
    }

    void added(Head head, int jobs) {
        emit("workflow.jobs_added", head, data -> data.field("jobs", jobs));
    }

    /** A job has come to its end. */
    void ended(StepFlow flow, WorkflowNode node) {
        Shape parent = flow.node(node.fixed.parent()).fixed.inside();
        String what = parent.isUnordered() ? "job" : "step";
        String how = node.state == NodeState.COMPLETED ? "completed" : "failed";
        emit("workflow." + what + "_" + how, flow.head, data -> {
            step(flow, node, data);
            Instant ready = node.readyAt;
            Instant ended = node.endedAt;
            if (ready != null && ended != null)
                data.field("duration_ms", Duration.between(ready, ended).toMillis());
            int over = flow.head.completed + flow.head.failed + flow.head.cancelled;
            data.field("steps_remaining", flow.head.jobs() - over)
                    .field("remaining_steps", flow.head.jobs() - over)
                    .field("attempt", node.attempt);
            byte[] error = flow.error(node);
            if (error != null) data.members(error);
        });
    }

    /** A step begins to wait for a signal, which a person may have to send. */
    void waits(StepFlow flow, WorkflowNode node) {
        SignalName name = StepWaits.signal(flow.head, node);
        if (name == null) return;
        emit("workflow.step_waiting", flow.head, data -> {
            step(flow, node, data);
            data.field("event", name.event()).field("key", name.key()).optional("until", StepWaits.until(node));
        });
    }

    void fired(StepFlow flow, WorkflowNode callback) {
        emit("workflow.callback_fired", flow.head, data -> {
            step(flow, callback, data);
            if (callback.fixed.callback() != null)
                data.field("callback", callback.fixed.callback().wire());
        });
    }

    void ended(Head head) {
        Instant ended = head.endedAt;
        emit("workflow." + head.state.wire(), head, data -> {
            if (ended != null)
                data.field(
                        "duration_ms",
                        Duration.between(head.fixed.createdAt(), ended).toMillis());
            data.field("completed_count", head.completed).field("failed_count", head.failed);
            if (head.state != WorkflowState.FAILED || head.errors.isEmpty()) return;
            Head.StepError first = head.errors.getFirst();
            data.field("failed_step_id", first.step());
            data.members(first.toJson());
        });
    }

    private static void step(StepFlow flow, WorkflowNode node, JsonOut data) {
        data.field("step_id", StepPath.of(flow, node))
                .field("step_index", node.fixed.position())
                .field("step_type", node.fixed.type())
                .optional("job_id", node.job == null ? null : node.job.toString());
    }

    private void emit(String type, Head head, Consumer<JsonOut> more) {
        String queue = head.queues.getFirst();
        JsonOut data = JsonOut.object()
                .field("workflow_id", head.shownId())
                .field("workflow_type", head.fixed.shape().wire())
                .optional("workflow_name", head.fixed.name())
                .field("queue", queue);
        // Only a reader that may use them all may know of it.
        if (head.queues.size() > 1)
            data.field("queues", head.queues.subList(0, Math.min(MAX_NAMED, head.queues.size())))
                    .field("queues_total", head.queues.size());
        data.field("state", head.state.wire()).field("total_steps", head.jobs());
        more.accept(data);
        out.emit(type, head.shownId(), head.shownId(), data.endObject());
    }
}
