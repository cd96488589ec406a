package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobOrigin;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that adds jobs to a batch, or steps to a workflow whose steps say what they depend on.
 *
 * @param jobs a group of jobs, or the steps
 * @param total how many jobs the workflow is to have before; null for any number
 */
record AddedJobs(WorkflowPlan jobs, @Nullable Long total) {
    private static final String TOTAL = "if_jobs_total";

    static AddedJobs read(byte[] body, JobOrigin origin) throws RejectedException {
        RequestFields fields = RequestFields.of(body).only(Set.of("jobs", "steps", "options", TOTAL));
        Long total = fields.number(TOTAL).orElse(null);
        if (total != null && total < 0) throw fields.fault(TOTAL, "The '%s' field must be a number of jobs.");
        Shape shape = fields.has("steps") ? Shape.DAG : Shape.GROUP;
        String list = shape == Shape.DAG ? "steps" : "jobs";
        if (shape == Shape.DAG && fields.has("jobs"))
            throw fields.fault("jobs", "The '%s' field cannot be said beside 'steps': add one or the other.");
        if (!fields.isArray(list)) throw fields.fault(list, "The '%s' field must be an array of " + list + ".");
        JsonOut added = JsonOut.object(body.length + 64).field("type", shape.wire());
        fields.copy(list, added);
        if (fields.has("options")) fields.copy("options", added);
        byte[] json = added.endObject().toBytes();
        WorkflowOperations.rejectIfLarger(json, AddJobs.MAX_BYTES);
        try {
            return new AddedJobs(
                    WorkflowReader.readAdded(
                            json, (job, place) -> origin.completes() ? origin.complete(job, StepPlace.ADDED) : job),
                    total);
        } catch (UnreadableWorkflow unreadable) {
            throw new RejectedException(unreadable.rejection());
        }
    }
}
