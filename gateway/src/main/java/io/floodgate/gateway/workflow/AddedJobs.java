package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.JobOrigin;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.WorkflowPlan;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that adds jobs to a batch.
 *
 * @param jobs a group of them
 * @param total how many jobs the batch is to have before; null for any number
 */
record AddedJobs(WorkflowPlan jobs, @Nullable Long total) {
    private static final String TOTAL = "if_jobs_total";

    static AddedJobs read(byte[] body, JobOrigin origin) throws RejectedException {
        RequestFields fields = RequestFields.of(body).only(Set.of("jobs", "options", TOTAL));
        Long total = fields.number(TOTAL).orElse(null);
        if (total != null && total < 0) throw fields.fault(TOTAL, "The '%s' field must be a number of jobs.");
        if (!fields.isArray("jobs")) throw fields.fault("jobs", "The '%s' field must be an array of jobs.");
        JsonOut group = JsonOut.object(body.length + 64).field("type", Shape.GROUP.wire());
        fields.copy("jobs", group);
        if (fields.has("options")) fields.copy("options", group);
        WorkflowPlan jobs = WorkflowOperations.read(
                group.endObject().toBytes(),
                origin,
                AddJobs.MAX_BYTES,
                (job, place) -> origin.complete(job, StepPlace.ADDED));
        return new AddedJobs(jobs, total);
    }
}
