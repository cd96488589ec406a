package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.SignalWait;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.topics.workflow.WorkflowStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that come to a batch, and steps that come to a graph, while it runs. It is open until its callbacks are decided about, and so
 * for each of its own jobs.
 */
record Additions(Workflows workflows, WorkflowStore store, WorkflowEvents events, Effects out) {
    /** It has a name, and no step can need it. */
    private static final int CALLBACK = -1;

    void add(AddJobs command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow == null) return;
        WorkflowPlan plan;
        try {
            plan = WorkflowReader.readAdded(command.jobs(), (job, place) -> job);
        } catch (UnreadableWorkflow unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        Map<String, Integer> known = new TreeMap<>();
        if (flow.head.fixed.shape() == Shape.DAG)
            for (WorkflowNode node : flow.inside(flow.root()))
                known.put(node.fixed.id(), node.fixed.callback() == null ? node.fixed.index() : CALLBACK);
        Rejection rejection = reject(flow, plan, command.total());
        if (rejection == null) rejection = rejectNames(plan, known);
        if (rejection != null) {
            out.reject(rejection);
            return;
        }
        int first = flow.head.nodes();
        add(flow, plan, known);
        TreeSet<String> queues = new TreeSet<>(plan.queues());
        queues.addAll(flow.head.queues);
        flow.head.queues = List.copyOf(queues);
        flow.settle();
        workflows.goOn(flow, null, "");
        events.added(flow.head, flow.head.nodes() - first);
        out.reply(WorkflowViews.lines(flow, first, GetWorkflow.MAX_LIMIT, false));
    }

    /** Each comes after those that it needs, since these have to be there. */
    private void add(StepFlow flow, WorkflowPlan plan, Map<String, Integer> known) {
        int first = flow.head.nodes();
        List<WorkflowNode> callbacks = flow.callbacks(flow.root());
        // Callbacks stand behind the steps that the workflow has begun with.
        int position = flow.head.added
                + (callbacks.isEmpty()
                        ? flow.head.fixed.nodes()
                        : callbacks.getFirst().fixed.position());
        boolean isBatch = flow.head.fixed.shape() == Shape.BATCH;
        for (WorkflowStep step : plan.steps().subList(1, plan.steps().size())) {
            int index = first + step.index() - 1;
            List<Integer> needs = new ArrayList<>();
            for (String id : step.outside()) needs.add(known.get(id));
            for (int needed : step.needs()) needs.add(first + needed - 1);
            String id = isBatch ? Integer.toString(position) : step.id();
            flow.bring(WorkflowNode.added(step, index, id, position++, needs));
            if (step.job() != null)
                store.putJob(flow.head.id(), index, step.job().toJson());
        }
        for (int i = first; i < first + plan.steps().size() - 1; i++) flow.begin(flow.node(i));
    }

    private @Nullable Rejection reject(StepFlow flow, WorkflowPlan plan, @Nullable Long total) {
        Head head = flow.head;
        Shape shape = head.fixed.shape();
        if (shape != Shape.BATCH && shape != Shape.DAG)
            return Rejection.of(
                    ErrorCode.INVALID_REQUEST,
                    "Jobs can be added to a batch, and steps to a workflow whose steps say what they depend on;"
                            + " this workflow is a %s.".formatted(shape.wire()));
        if (plan.shape() != (shape == Shape.BATCH ? Shape.GROUP : Shape.DAG))
            return Rejection.of(
                    ErrorCode.INVALID_REQUEST,
                    shape == Shape.BATCH
                            ? "The workflow is a batch: add 'jobs', which depend on nothing."
                            : "The steps of this workflow say what they depend on: add 'steps'.");
        boolean isOpen = head.state == WorkflowState.RUNNING && !flow.root().hasFired && !flow.isStopped();
        if (!isOpen)
            return conflict(head, "The workflow is '%s', and its jobs have ended or were stopped: it takes no others.");
        if (total != null && total != head.jobs())
            return conflict(head, "The workflow is '%s', and has not the number of jobs that the request names.");
        if (plan.shape() == Shape.GROUP && plan.steps().stream().skip(1).anyMatch(step -> step.job() == null))
            return Rejection.of(ErrorCode.INVALID_REQUEST, "Only jobs can be added to a batch, and no other steps.");
        if (!plan.tenant().equals(head.fixed.tenant()))
            return Rejection.of(ErrorCode.INVALID_REQUEST, "The jobs are of another tenant than the workflow.");
        if (waits(plan) > 0 && waits(plan) + waits(flow) > SignalWait.MOST_OF_WORKFLOW)
            return Rejection.of(
                    ErrorCode.INVALID_REQUEST,
                    "The workflow would have more than %d steps that wait for signals."
                            .formatted(SignalWait.MOST_OF_WORKFLOW));
        int nodes = head.nodes() + plan.steps().size() - 1;
        return nodes <= WorkflowReader.MOST_STEPS
                ? null
                : Rejection.of(
                                ErrorCode.INVALID_REQUEST,
                                "The workflow would have %d steps; at most %d are accepted."
                                        .formatted(nodes, WorkflowReader.MOST_STEPS))
                        .with("max_steps", WorkflowReader.MOST_STEPS);
    }

    private static long waits(WorkflowPlan plan) {
        return plan.steps().stream().filter(step -> step.signal() != null).count();
    }

    private static long waits(StepFlow flow) {
        return flow.all().stream().filter(node -> node.fixed.signal() != null).count();
    }

    /** In a batch, jobs have no names of their own. */
    private static @Nullable Rejection rejectNames(WorkflowPlan plan, Map<String, Integer> known) {
        if (plan.shape() == Shape.GROUP) return null;
        for (WorkflowStep step : plan.steps().subList(1, plan.steps().size())) {
            if (known.containsKey(step.id()))
                return Rejection.of(
                                ErrorCode.CONFLICT,
                                "The workflow has a step '%s' already.".formatted(Limits.echo(step.id())))
                        .with("step", step.id());
            for (String id : step.outside())
                if (known.getOrDefault(id, CALLBACK) == CALLBACK)
                    return Rejection.of(
                                    ErrorCode.INVALID_REQUEST,
                                    "Step '%s' depends on '%s', which neither the workflow nor the request has."
                                            .formatted(Limits.echo(step.id()), Limits.echo(id)))
                            .with("step", step.id());
        }
        return null;
    }

    private static Rejection conflict(Head head, String message) {
        return Rejection.of(ErrorCode.CONFLICT, message.formatted(head.state.wire()))
                .with("current_state", head.state.wire())
                .with("jobs_total", head.jobs());
    }
}
