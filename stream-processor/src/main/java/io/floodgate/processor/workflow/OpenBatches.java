package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.topics.workflow.WorkflowStep;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Jobs that come to a batch while it runs. It is open until its callbacks are decided about, and so for each of its own jobs. */
record OpenBatches(Workflows workflows, WorkflowStore store, WorkflowEvents events, Effects out) {
    void add(AddJobs command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow == null) return;
        WorkflowPlan plan;
        try {
            plan = WorkflowReader.read(command.jobs());
        } catch (UnreadableWorkflow unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        Rejection rejection = reject(flow, plan, command.total());
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        int first = flow.head.nodes();
        // Callbacks stand behind the jobs that the batch has begun with.
        int position = flow.callbacks(flow.root()).getFirst().fixed.position() + flow.head.added;
        for (WorkflowStep step : plan.steps()) {
            Envelope job = step.job();
            if (job != null) add(flow, job, position++);
        }
        TreeSet<String> queues = new TreeSet<>(plan.queues());
        queues.addAll(flow.head.queues);
        flow.head.queues = List.copyOf(queues);
        workflows.goOn(flow, null, "");
        events.added(flow.head, flow.head.nodes() - first);
        out.reply(WorkflowViews.lines(flow, first, GetWorkflow.MAX_LIMIT, false));
    }

    private @Nullable Rejection reject(StepFlow flow, WorkflowPlan plan, @Nullable Long total) {
        Head head = flow.head;
        if (head.fixed.shape() != Shape.BATCH)
            return Rejection.of(
                    ErrorCode.INVALID_REQUEST,
                    "Jobs can be added to a batch; this workflow is a %s."
                            .formatted(head.fixed.shape().wire()));
        boolean isOpen = head.state == WorkflowState.RUNNING && !flow.root().hasFired && !flow.isStopped();
        if (!isOpen)
            return conflict(head, "The batch is '%s', and its jobs have ended or were stopped: it takes no others.");
        if (total != null && total != head.jobs())
            return conflict(head, "The batch is '%s', and has not the number of jobs that the request names.");
        if (plan.shape() != Shape.GROUP || plan.steps().stream().skip(1).anyMatch(OpenBatches::isNoJob))
            return Rejection.of(ErrorCode.INVALID_REQUEST, "Only jobs can be added to a batch, and no other steps.");
        if (!plan.tenant().equals(head.fixed.tenant()))
            return Rejection.of(ErrorCode.INVALID_REQUEST, "The jobs are of another tenant than the batch.");
        int nodes = head.nodes() + plan.steps().size() - 1;
        return nodes <= WorkflowReader.MOST_STEPS
                ? null
                : Rejection.of(
                                ErrorCode.INVALID_REQUEST,
                                "The batch would have %d steps; at most %d are accepted."
                                        .formatted(nodes, WorkflowReader.MOST_STEPS))
                        .with("max_steps", WorkflowReader.MOST_STEPS);
    }

    private static boolean isNoJob(WorkflowStep step) {
        return step.parent() > 0 || step.job() == null || !step.isLeaf();
    }

    private static Rejection conflict(Head head, String message) {
        return Rejection.of(ErrorCode.CONFLICT, message.formatted(head.state.wire()))
                .with("current_state", head.state.wire())
                .with("jobs_total", head.jobs());
    }

    private void add(StepFlow flow, Envelope job, int position) {
        int index = flow.head.nodes();
        flow.add(WorkflowNode.added(index, 0, position, job.type(), job.queue()));
        store.putJob(flow.head.id(), index, job.toJson());
    }
}
