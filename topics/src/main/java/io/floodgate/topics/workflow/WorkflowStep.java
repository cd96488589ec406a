package io.floodgate.topics.workflow;

import io.floodgate.topics.job.Envelope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A step of a workflow: a job, or a workflow inside of it. Steps depend only on others of the same parent.
 *
 * @param index among all steps; the workflow itself is 0, and stands before what is inside of it
 * @param id by which its siblings name it
 * @param parent the index of what it is inside of; -1 for the workflow itself
 * @param position among its siblings
 * @param needs the indices of the siblings that have to end before
 * @param outside the ids of such siblings that are in the workflow already, of a step that is added to it
 * @param runIf on what condition it runs then
 * @param condition about one of them; null for none
 * @param allowFailure what needs it goes on although it has failed
 * @param callback as which it follows from its siblings; null for any other step
 * @param shape of a workflow inside; null for a job or a wait
 * @param job null for a workflow inside; of a step with a job for each element of a list, without its arguments
 * @param signal that it waits for, without a job; null for all else
 * @param forEach the list; null for a step without one
 */
public record WorkflowStep(
        int index,
        String id,
        int parent,
        int position,
        List<Integer> needs,
        List<String> outside,
        RunIf runIf,
        @Nullable StepCondition condition,
        boolean allowFailure,
        @Nullable Callback callback,
        @Nullable Shape shape,
        @Nullable Envelope job,
        @Nullable SignalWait signal,
        @Nullable ForEach forEach) {
    public WorkflowStep {
        needs = List.copyOf(needs);
        outside = List.copyOf(outside);
    }

    /** Returns whether nothing is inside of it: a job, or a wait. */
    public boolean isLeaf() {
        return shape == null;
    }

    /** Makes a step that needs nothing yet. */
    static WorkflowStep of(
            int index,
            String id,
            int parent,
            int position,
            RunIf runIf,
            boolean allowFailure,
            @Nullable Callback callback,
            @Nullable Shape shape,
            @Nullable Envelope job,
            @Nullable SignalWait signal) {
        return new WorkflowStep(
                index,
                id,
                parent,
                position,
                List.of(),
                List.of(),
                runIf,
                null,
                allowFailure,
                callback,
                shape,
                job,
                signal,
                null);
    }

    /** The same step, with what it says of others. */
    WorkflowStep after(
            List<Integer> needed, List<String> others, @Nullable StepCondition about, @Nullable ForEach list) {
        return new WorkflowStep(
                index,
                id,
                parent,
                position,
                needed,
                others,
                runIf,
                about,
                allowFailure,
                callback,
                list == null ? shape : Shape.GROUP,
                job,
                signal,
                list);
    }
}
