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
 * @param runIf on what condition it runs then
 * @param allowFailure what needs it goes on although it has failed
 * @param callback as which it follows from its siblings; null for any other step
 * @param shape of a workflow inside; null for a job
 * @param job null for a workflow inside
 */
public record WorkflowStep(
        int index,
        String id,
        int parent,
        int position,
        List<Integer> needs,
        RunIf runIf,
        boolean allowFailure,
        @Nullable Callback callback,
        @Nullable Shape shape,
        @Nullable Envelope job) {
    public WorkflowStep {
        needs = List.copyOf(needs);
    }

    public boolean isJob() {
        return job != null;
    }
}
