package io.floodgate.processor.workflow;

import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.ForEach;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.SignalWait;
import io.floodgate.topics.workflow.StepCondition;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A step of a workflow: a job, or a workflow inside of it, or the workflow itself. */
final class WorkflowNode {
    static final StoredForm<WorkflowNode> STORED = new StoredForm<>(WorkflowNode.class, 1, "a step of a workflow");

    /**
     * The members that never change.
     *
     * @param last the index of the last step inside of it; its own if there is none
     * @param needs the siblings that have to end before
     * @param dependents the siblings that need it
     * @param type of the job, or empty
     * @param queue of the job, or empty
     */
    record Fixed(
            int index,
            String id,
            int parent,
            int position,
            int last,
            List<Integer> needs,
            List<Integer> dependents,
            RunIf runIf,
            @Nullable StepCondition condition,
            boolean allowFailure,
            @Nullable Callback callback,
            @Nullable Shape shape,
            @Nullable ForEach forEach,
            @Nullable SignalWait signal,
            String type,
            String queue) {
        Fixed {
            needs = List.copyOf(needs);
            dependents = List.copyOf(dependents);
        }

        /** Returns whether nothing is inside of it: a job, or a wait for a signal. */
        boolean isLeaf() {
            return shape == null;
        }

        boolean isJob() {
            return isLeaf() && signal == null;
        }

        /** Returns the shape of a step that is no job. */
        Shape inside() {
            return Objects.requireNonNull(shape, "a job has no steps inside");
        }
    }

    final Fixed fixed;
    NodeState state = NodeState.WAITING;
    /** Number of needed steps that have not ended, and that have ended otherwise than well. */
    int pending;

    int bad;
    /** Number of steps inside, without callbacks, that have not ended, and that have ended otherwise than well. */
    int inside;

    int insideBad;
    /** The same numbers for callbacks. */
    int callbacks;

    int callbacksBad;
    boolean hasFired;
    /** Number of jobs that the step has had. */
    int run;
    /** Steps that have come since the workflow began, and need this one. */
    List<Integer> later = new ArrayList<>();
    /** True once the step has a job for each element of its list. */
    boolean isExpanded;

    @Nullable
    JobId job;
    /** The number of the last note of the job. */
    int heard;

    int attempt;

    @Nullable
    Instant readyAt;

    @Nullable
    Instant placedAt;

    /** Start of the last attempt; of a job that is under way, only its queue knows it. */
    @Nullable
    Instant startedAt;

    @Nullable
    Instant endedAt;

    int resultSize;
    boolean hasResult;
    /** True if the job was asked not to start, and has not answered. */
    boolean isUnconfirmed;
    /** Number of times that the queue could not even keep the job in its wait queue. */
    int tries;

    /** Reason under which the step is counted among the stored steps; null if it is not. */
    transient @Nullable StepReason countedAs;

    /** The stored form, as far as the flow at hand knows it. */
    transient byte @Nullable [] stored;

    /** The job whose capacity this one may take. */
    @Nullable
    JobId after;

    WorkflowNode(Fixed fixed) {
        this.fixed = fixed;
    }

    /** Returns the steps of a new workflow. */
    static List<WorkflowNode> of(WorkflowPlan plan) {
        int size = plan.steps().size();
        List<List<Integer>> dependents = new ArrayList<>();
        int[] last = new int[size];
        int[] inside = new int[size];
        int[] callbacks = new int[size];
        for (int i = 0; i < size; i++) {
            dependents.add(new ArrayList<>());
            last[i] = i;
        }
        for (WorkflowStep step : plan.steps()) {
            for (int needed : step.needs()) dependents.get(needed).add(step.index());
            for (int up = step.parent(); up >= 0; up = plan.steps().get(up).parent()) last[up] = step.index();
            if (step.parent() < 0) continue;
            if (step.callback() == null) inside[step.parent()]++;
            else callbacks[step.parent()]++;
        }
        List<WorkflowNode> nodes = new ArrayList<>();
        for (WorkflowStep step : plan.steps()) {
            Envelope job = step.job();
            WorkflowNode node = new WorkflowNode(new Fixed(
                    step.index(),
                    step.id(),
                    step.parent(),
                    step.position(),
                    last[step.index()],
                    step.needs(),
                    dependents.get(step.index()),
                    step.runIf(),
                    step.condition(),
                    step.allowFailure(),
                    step.callback(),
                    step.shape(),
                    step.forEach(),
                    step.signal(),
                    step.signal() != null ? SignalWait.TYPE : job == null ? "" : job.type(),
                    job == null ? "" : job.queue()));
            node.pending = step.needs().size();
            node.inside = inside[step.index()];
            node.callbacks = callbacks[step.index()];
            nodes.add(node);
        }
        return nodes;
    }

    /** Returns a job for an element of a list. */
    static WorkflowNode ofElement(WorkflowNode list, int index, int position) {
        return new WorkflowNode(new Fixed(
                index,
                Integer.toString(position),
                list.fixed.index,
                position,
                index,
                List.of(),
                List.of(),
                RunIf.ALL_SUCCEEDED,
                null,
                false,
                null,
                null,
                null,
                null,
                list.fixed.type,
                list.fixed.queue));
    }

    /** Returns a step that was not described with its workflow. */
    static WorkflowNode added(WorkflowStep step, int index, String id, int position, List<Integer> needs) {
        Envelope job = step.job();
        return new WorkflowNode(new Fixed(
                index,
                id,
                0,
                position,
                index,
                needs,
                List.of(),
                step.runIf(),
                null,
                step.allowFailure(),
                null,
                null,
                null,
                step.signal(),
                job == null ? "" : job.type(),
                job == null ? "" : job.queue()));
    }

    List<Integer> dependents() {
        if (later.isEmpty()) return fixed.dependents;
        List<Integer> all = new ArrayList<>(fixed.dependents);
        all.addAll(later);
        return all;
    }

    boolean isBad() {
        return state == NodeState.CANCELLED || (state == NodeState.FAILED && !fixed.allowFailure);
    }

    static WorkflowNode read(byte[] stored) {
        WorkflowNode node = STORED.read(stored);
        node.countedAs = StepReason.of(node);
        node.stored = stored;
        return node;
    }
}
