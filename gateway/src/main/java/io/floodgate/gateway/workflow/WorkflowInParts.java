package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.CommandNotSent;
import io.floodgate.topics.client.NoReply;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.WorkflowJson;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that would be too much for one step of a partition. Its jobs go ahead, one part after the other, so that others find
 * their way in between; the workflow follows with what is small of it. Parts without a workflow expire by themselves.
 */
final class WorkflowInParts {
    private static final byte[] NO_JOB = {'{', '}'};

    private final Partitions.Owner home;
    private final JobId id;
    private @Nullable Long upload;

    WorkflowInParts(Partitions.Owner home, JobId id) {
        this.home = home;
        this.id = id;
    }

    static boolean isNeeded(WorkflowPlan plan) {
        return plan.bytes() > Limits.BYTES_OF_A_PART;
    }

    /** The command that creates it, once its jobs are there. */
    CreateWorkflow upload(WorkflowPlan plan, Duration wait) throws CommandFailed, RejectedException {
        List<byte[]> part = new ArrayList<>();
        int first = 1;
        long bytes = 0;
        for (WorkflowStep step : plan.steps().subList(1, plan.steps().size())) {
            Envelope job = step.job();
            byte[] json = job == null ? NO_JOB : job.toJson();
            boolean fits = part.size() < Limits.JOBS_OF_A_PART && bytes + json.length <= Limits.BYTES_OF_A_PART;
            if (!part.isEmpty() && !fits) {
                send(first, part);
                first = step.index();
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(json);
            bytes += json.length;
        }
        send(first, part);
        return new CreateWorkflow(WorkflowJson.outline(plan), wait, upload);
    }

    private void send(int first, List<byte[]> part) throws CommandFailed, RejectedException {
        UploadJobs command = new UploadJobs(id, upload, first, part);
        try {
            upload = UploadJobs.upload(home.askLine(command));
        } catch (NoReply silence) {
            // Whatever has become of it: without the command that creates the workflow, none of it is used.
            throw new CommandNotSent("a part of the workflow had no answer", silence);
        }
    }
}
