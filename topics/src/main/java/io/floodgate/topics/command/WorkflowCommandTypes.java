package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.WORKFLOW;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandType.LateReply;
import java.util.List;

/** Commands to workflows. */
final class WorkflowCommandTypes {
    /** This many bytes of a workflow cost a partition as much as any other command. */
    private static final int BYTES_PER_UNIT = 4_096;

    static final List<CommandType<?>> ROWS = rows(
            command(
                            "create-workflow",
                            WorkflowCommand.CreateWorkflow.class,
                            WORKFLOW,
                            WORK,
                            "Stores a workflow and its first jobs, or nothing.")
                    .large()
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> 1 + c.workflow().length / BYTES_PER_UNIT),
            command(
                            "upload-workflow-jobs",
                            WorkflowCommand.UploadJobs.class,
                            WORKFLOW,
                            WORK,
                            "Stores jobs of a large workflow that is to be created.")
                    .large()
                    .weighs(c ->
                            1 + c.jobs().stream().mapToInt(job -> job.length).sum() / BYTES_PER_UNIT),
            query(
                    "get-workflow",
                    WorkflowCommand.GetWorkflow.class,
                    WORKFLOW,
                    READS,
                    "Returns a workflow and its steps."),
            query(
                    "list-workflows",
                    WorkflowCommand.ListWorkflows.class,
                    PARTITION,
                    SEARCHES,
                    "Lists the workflows of this partition, newest first."),
            command(
                    "cancel-workflow",
                    WorkflowCommand.CancelWorkflow.class,
                    WORKFLOW,
                    WORK,
                    "Cancels a workflow: nothing else of it starts."),
            command(
                    "retry-workflow",
                    WorkflowCommand.RetryWorkflow.class,
                    WORKFLOW,
                    WORK,
                    "Runs the steps of a workflow again that have failed."),
            command(
                            "add-workflow-jobs",
                            WorkflowCommand.AddJobs.class,
                            WORKFLOW,
                            WORK,
                            "Adds jobs to a batch that runs.")
                    .large()
                    .weighs(c -> 1 + c.jobs().length / BYTES_PER_UNIT),
            query(
                    "get-step-jobs",
                    WorkflowCommand.GetStepJobs.class,
                    PARTITION,
                    READS,
                    "Returns how jobs stand that are steps of workflows."),
            message(
                    "first-jobs-stored",
                    WorkflowCommand.FirstJobsStored.class,
                    WORKFLOW,
                    "The first jobs of a workflow are stored, or were rejected."));

    private WorkflowCommandTypes() {}
}
