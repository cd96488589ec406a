package io.floodgate.processor.workflow;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A step of a workflow: a job, or a workflow inside of it, or the workflow itself. */
final class WorkflowNode {
    private static final int VERSION = 1;

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
            boolean allowFailure,
            @Nullable Callback callback,
            @Nullable Shape shape,
            String type,
            String queue) {
        Fixed {
            needs = List.copyOf(needs);
            dependents = List.copyOf(dependents);
        }

        boolean isJob() {
            return shape == null;
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
    @Nullable
    StepReason countedAs;

    /** The stored form, as far as the flow at hand knows it. */
    byte @Nullable [] stored;

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
                    step.allowFailure(),
                    step.callback(),
                    step.shape(),
                    job == null ? "" : job.type(),
                    job == null ? "" : job.queue()));
            node.pending = step.needs().size();
            node.inside = inside[step.index()];
            node.callbacks = callbacks[step.index()];
            nodes.add(node);
        }
        return nodes;
    }

    boolean isBad() {
        return state == NodeState.CANCELLED || (state == NodeState.FAILED && !fixed.allowFailure);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .number(fixed.index)
                .text(fixed.id)
                .signed(fixed.parent)
                .number(fixed.position)
                .number(fixed.last);
        indices(fixed.needs, out);
        indices(fixed.dependents, out);
        out.text(fixed.runIf.wire())
                .flag(fixed.allowFailure)
                .optional(fixed.callback == null ? null : fixed.callback.wire())
                .optional(fixed.shape == null ? null : fixed.shape.wire())
                .text(fixed.type)
                .text(fixed.queue)
                .text(state.name())
                .number(pending)
                .number(bad)
                .number(inside)
                .number(insideBad)
                .number(callbacks)
                .number(callbacksBad)
                .flag(hasFired)
                .number(run);
        job(job, out);
        out.number(heard)
                .number(attempt)
                .optional(readyAt)
                .optional(placedAt)
                .optional(startedAt)
                .optional(endedAt)
                .number(resultSize)
                .flag(hasResult)
                .flag(isUnconfirmed)
                .number(tries);
        job(after, out);
        return out.toBytes();
    }

    private static void indices(List<Integer> indices, BinaryOut out) {
        out.number(indices.size());
        for (int index : indices) out.number(index);
    }

    private static List<Integer> indices(BinaryIn in) {
        Integer[] indices = new Integer[in.integer()];
        for (int i = 0; i < indices.length; i++) indices[i] = in.integer();
        return List.of(indices);
    }

    private static void job(@Nullable JobId job, BinaryOut out) {
        out.flag(job != null);
        if (job != null) out.job(job);
    }

    private static @Nullable JobId job(BinaryIn in) {
        return in.flag() ? in.job() : null;
    }

    static WorkflowNode read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a step of a workflow");
        int index = in.integer();
        String id = in.text();
        int parent = (int) in.signed();
        int position = in.integer();
        int last = in.integer();
        List<Integer> needs = indices(in);
        List<Integer> dependents = indices(in);
        RunIf runIf = RunIf.parse(in.text()).orElseThrow();
        boolean allowFailure = in.flag();
        String callback = in.optionalText();
        String shape = in.optionalText();
        WorkflowNode node = new WorkflowNode(new Fixed(
                index,
                id,
                parent,
                position,
                last,
                needs,
                dependents,
                runIf,
                allowFailure,
                callback == null ? null : Callback.parse(callback).orElseThrow(),
                shape == null ? null : Shape.parse(shape).orElseThrow(),
                in.text(),
                in.text()));
        node.state = NodeState.valueOf(in.text());
        node.pending = in.integer();
        node.bad = in.integer();
        node.inside = in.integer();
        node.insideBad = in.integer();
        node.callbacks = in.integer();
        node.callbacksBad = in.integer();
        node.hasFired = in.flag();
        node.run = in.integer();
        node.job = job(in);
        node.heard = in.integer();
        node.attempt = in.integer();
        node.readyAt = in.optionalTime();
        node.placedAt = in.optionalTime();
        node.startedAt = in.optionalTime();
        node.endedAt = in.optionalTime();
        node.resultSize = in.integer();
        node.hasResult = in.flag();
        node.isUnconfirmed = in.flag();
        node.tries = in.integer();
        node.after = job(in);
        node.countedAs = StepReason.of(node);
        node.stored = stored;
        return node;
    }
}
