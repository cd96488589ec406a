package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.WORKFLOW;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.CommandType.LateReply;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.List;

/** Commands to workflows. */
final class WorkflowCommandTypes {
    /** This many bytes of a workflow cost a partition as much as any other command. */
    private static final int BYTES_PER_UNIT = 4_096;

    static final List<CommandType<?>> ROWS = List.of(
            command(CreateWorkflow.class, WORKFLOW, WORK, "Stores a workflow and its first jobs, or nothing.")
                    .largeJson(
                            "create-workflow",
                            (c, out) -> out.fieldRaw("workflow", c.workflow())
                                    .field("wait_ms", c.maxWait().toMillis())
                                    .optional("upload", c.upload()),
                            in -> new CreateWorkflow(
                                    in.object("workflow"), in.millis("wait_ms"), in.optionalNumber("upload")))
                    .waits(c -> !c.maxWait().isZero(), LateReply.DROPPED)
                    .weighs(c -> 1 + c.workflow().length / BYTES_PER_UNIT)
                    .bounded(c -> Limits.wait(c.maxWait())),
            command(UploadJobs.class, WORKFLOW, WORK, "Stores jobs of a large workflow that is to be created.")
                    .largeJson(
                            "upload-workflow-jobs", WorkflowCommandTypes::writeUpload, WorkflowCommandTypes::readUpload)
                    .weighs(c -> 1 + bytes(c) / BYTES_PER_UNIT)
                    .bounded(c -> Limits.most("jobs", c.jobs().size(), Limits.JOBS_OF_A_PART)),
            query(GetWorkflow.class, WORKFLOW, READS, "Returns a workflow and its steps.")
                    .json(
                            "get-workflow",
                            (c, out) -> out.field("workflow_id", c.workflow().toString())
                                    .field("from", c.from())
                                    .field("limit", c.limit())
                                    .field("results", c.results()),
                            in -> new GetWorkflow(
                                    in.job("workflow_id"),
                                    (int) Math.min(in.natural("from"), 1_000_000),
                                    in.count("limit", GetWorkflow.MAX_LIMIT),
                                    in.flag("results")))
                    .bounded(),
            query(ListWorkflows.class, PARTITION, SEARCHES, "Lists the workflows of this partition, newest first.")
                    .json(
                            "list-workflows",
                            WorkflowCommandTypes::writeList,
                            in -> new ListWorkflows(
                                    in.optionalText("state"),
                                    in.optionalText("name"),
                                    in.count("limit", ListWorkflows.MAX_LIMIT),
                                    in.has("before") ? in.job("before") : null))
                    .bounded(c -> {
                        Limits.name("state", c.state());
                        Limits.name("name", c.name());
                    }),
            command(CancelWorkflow.class, WORKFLOW, WORK, "Cancels a workflow: nothing else of it starts.")
                    .json(
                            "cancel-workflow",
                            (c, out) -> out.field("workflow_id", c.workflow().toString())
                                    .field("active", c.activeToo()),
                            in -> new CancelWorkflow(in.job("workflow_id"), in.flag("active")))
                    .bounded(),
            command(RetryWorkflow.class, WORKFLOW, WORK, "Runs the steps of a workflow again that have failed.")
                    .json(
                            "retry-workflow",
                            (c, out) -> out.field("workflow_id", c.workflow().toString())
                                    .field("steps", c.steps()),
                            in -> new RetryWorkflow(in.job("workflow_id"), in.texts("steps")))
                    .bounded(c -> {
                        Limits.most("steps", c.steps().size(), RetryWorkflow.MOST_STEPS);
                        for (String step : c.steps()) Limits.chars("steps", step, 1_000);
                    }),
            command(AddJobs.class, WORKFLOW, WORK, "Adds jobs to a batch that runs.")
                    .largeJson(
                            "add-workflow-jobs",
                            WorkflowCommandTypes::writeAdded,
                            in -> new AddJobs(
                                    in.job("workflow_id"),
                                    in.object("jobs"),
                                    in.has("total") ? in.natural("total") : AddJobs.ANY))
                    .weighs(c -> 1 + c.jobs().length / BYTES_PER_UNIT)
                    .bounded(),
            query(GetStepJobs.class, PARTITION, READS, "Returns how jobs stand that are steps of workflows.")
                    .json(
                            "get-step-jobs",
                            (c, out) -> out.field(
                                    "jobs",
                                    c.jobs().stream().map(JobId::toString).toList()),
                            in -> new GetStepJobs(in.jobs("jobs")))
                    .bounded(c -> Limits.most("jobs", c.jobs().size(), GetStepJobs.MOST)),
            message(FirstJobsStored.class, WORKFLOW, "The first jobs of a workflow are stored, or were rejected.")
                    .json(
                            "first-jobs-stored",
                            WorkflowCommandTypes::writeStored,
                            in -> new FirstJobsStored(
                                    in.job("workflow_id"), in.optionalRejection("refusal"), in.optionalNumber("room")))
                    .bounded());

    private WorkflowCommandTypes() {}

    private static int bytes(UploadJobs part) {
        return part.jobs().stream().mapToInt(job -> job.length).sum();
    }

    private static void writeUpload(UploadJobs part, JsonOut out) {
        out.field("workflow_id", part.workflow().toString())
                .optional("upload", part.upload())
                .field("first", part.first())
                .name("jobs")
                .beginArray();
        part.jobs().forEach(out::raw);
        out.endArray();
    }

    private static UploadJobs readUpload(JsonFields in) throws UnreadableCommand, MalformedJson {
        int first = (int) Math.min(in.natural("first"), Integer.MAX_VALUE);
        return new UploadJobs(in.job("workflow_id"), in.optionalNumber("upload"), first, in.raws("jobs"));
    }

    private static void writeList(ListWorkflows command, JsonOut out) {
        JobId before = command.before();
        out.optional("state", command.state())
                .optional("name", command.name())
                .field("limit", command.limit())
                .optional("before", before == null ? null : before.toString());
    }

    private static void writeAdded(AddJobs command, JsonOut out) {
        out.field("workflow_id", command.workflow().toString()).fieldRaw("jobs", command.jobs());
        if (command.total() != AddJobs.ANY) out.field("total", command.total());
    }

    private static void writeStored(FirstJobsStored message, JsonOut out) {
        out.field("workflow_id", message.workflow().toString());
        Rejection rejection = message.rejection();
        if (rejection != null) out.fieldRaw("refusal", Reply.write(rejection));
        out.optional("room", message.room());
    }
}
