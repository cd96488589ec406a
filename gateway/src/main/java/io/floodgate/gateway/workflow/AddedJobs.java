package io.floodgate.gateway.workflow;

import io.floodgate.gateway.job.JobOrigin;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.WorkflowPlan;
import tools.jackson.databind.JsonNode;

/**
 * The body of a request that adds jobs to a batch.
 *
 * @param jobs a group of them
 * @param total how many jobs the batch is to have before; -1 for any number
 */
record AddedJobs(WorkflowPlan jobs, long total) {
    private static final String TOTAL = "if_jobs_total";

    static AddedJobs read(byte[] body, JobOrigin origin) throws RejectedException {
        try {
            Members members = Members.submitted(body);
            JsonNode total = members.value(TOTAL);
            boolean isNumber = total == null || (total.isIntegralNumber() && total.longValue(-1) >= 0);
            if (!isNumber) throw wrong(TOTAL, "must be a number of jobs");
            if (!members.isArray("jobs")) throw wrong("jobs", "must be an array of jobs");
            JsonOut group = new JsonOut(body.length + 64).beginObject().field("type", Shape.GROUP.wire());
            members.copy("jobs", group);
            if (members.has("options")) members.copy("options", group);
            WorkflowPlan jobs = WorkflowOperations.read(
                    group.endObject().toBytes(),
                    origin,
                    AddJobs.MAX_BYTES,
                    (job, place) -> origin.complete(job, StepPlace.ADDED));
            return new AddedJobs(jobs, total == null ? AddJobs.ANY : total.longValue());
        } catch (MalformedJson malformed) {
            throw new RejectedException(Rejection.of(ErrorCode.INVALID_PAYLOAD, malformed.getMessage()));
        }
    }

    private static RejectedException wrong(String field, String how) {
        return new RejectedException(Rejection.of(ErrorCode.INVALID_REQUEST, "The '%s' field %s.".formatted(field, how))
                .with("field", field));
    }
}
