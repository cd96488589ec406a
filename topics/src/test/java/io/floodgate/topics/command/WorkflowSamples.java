package io.floodgate.topics.command;

import static io.floodgate.topics.command.Samples.JOB;
import static io.floodgate.topics.command.Samples.OTHER;
import static io.floodgate.topics.command.Samples.json;

import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Commands to workflows. */
final class WorkflowSamples {
    private WorkflowSamples() {}

    static void add(Map<String, Command> samples) {
        byte[] chain = json("{\"type\":\"chain\",\"steps\":[{\"type\":\"a.b\",\"args\":[]}]}");
        samples.put("create-workflow", new CreateWorkflow(chain, Duration.ofSeconds(5)));
        samples.put("get-workflow", new GetWorkflow(JOB, 1, 100, true));
        samples.put("list-workflows", new ListWorkflows("running", "nightly", 50, OTHER));
        samples.put("list-workflows-least", new ListWorkflows(null, null, 1, null));
        samples.put("cancel-workflow", new CancelWorkflow(JOB, true));
        samples.put("retry-workflow", new RetryWorkflow(JOB, List.of("1", "2.0")));
        byte[] group = json("{\"type\":\"group\",\"jobs\":[{\"type\":\"a.b\",\"args\":[]}]}");
        samples.put("add-workflow-jobs", new AddJobs(JOB, group, 3));
        samples.put("add-workflow-jobs-any", new AddJobs(JOB, group, AddJobs.ANY));
        samples.put("get-step-jobs", new GetStepJobs(List.of(JOB, OTHER)));
        samples.put("first-jobs-stored", new FirstJobsStored(JOB, null));
        samples.put(
                "first-jobs-stored-rejected", new FirstJobsStored(JOB, Rejection.of(ErrorCode.QUEUE_FULL, "no room")));
    }
}
