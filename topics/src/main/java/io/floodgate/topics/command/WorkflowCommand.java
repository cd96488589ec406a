package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.json.Wire;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to workflows, each in its home: the partition that its id leads to. See {@code docs/explanation/workflows.md}. */
public sealed interface WorkflowCommand extends Command {
    /**
     * Stores a workflow, and the jobs that begin it; or nothing.
     *
     * @param workflow as a client describes it, in any dialect
     * @param maxWait for how long its first jobs wait for room in queues that block
     * @param upload what its jobs have come in, of which only the outline is in {@code workflow}; null if all of it is
     */
    record CreateWorkflow(
            byte[] workflow,

            @Wire.Name("wait_ms") @Wire.Most(Limits.LONGEST_WAIT_MS)
            Duration maxWait,

            @Nullable Long upload)
            implements WorkflowCommand {
        public CreateWorkflow(byte[] workflow, Duration maxWait) {
            this(workflow, maxWait, null);
        }
    }

    /**
     * Jobs of a workflow that is too large for one step, ahead of its {@link CreateWorkflow}: stored, and used by nothing. The reply
     * names the upload. What is not created within {@link #KEPT} of its last part is dropped.
     *
     * @param upload that these continue; null for the first ones
     * @param first the index of the first of these steps
     * @param jobs of consecutive steps; an empty object for a workflow inside
     */
    record UploadJobs(
            JobId workflow,
            @Nullable Long upload,
            int first,
            @Wire.Most(Limits.JOBS_OF_A_PART) List<byte[]> jobs) implements WorkflowCommand {
        public static final Duration KEPT = Duration.ofMinutes(1);

        public UploadJobs {
            jobs = List.copyOf(jobs);
        }

        /** What the reply says. */
        public static byte[] reply(long upload) {
            return JsonOut.object().field("upload", upload).endObject().toBytes();
        }

        /** The number in the reply. */
        public static long upload(byte[] line) {
            return MemberWalk.text(line, "upload").map(Long::valueOf).orElseThrow();
        }
    }

    /**
     * A workflow and its steps. The first line of the reply is the workflow, each further one a step.
     *
     * @param from the index of the first step that is shown
     * @param results whether steps are shown with their results
     */
    record GetWorkflow(
            JobId workflow,
            @Wire.Capped(1_000_000) int from,

            @Wire.Least(1) @Wire.Capped(GetWorkflow.MAX_LIMIT)
            int limit,

            boolean results)
            implements WorkflowCommand {
        public static final int MAX_LIMIT = 1_000;
    }

    /**
     * Workflows of this partition, newest first, one a line.
     *
     * @param state in which they are; null for any
     * @param before older than this one; null for the newest
     */
    record ListWorkflows(
            @Nullable String state,
            @Nullable String name,

            @Wire.Least(1) @Wire.Capped(ListWorkflows.MAX_LIMIT)
            int limit,

            @Wire.Name("before") @Nullable JobId before)
            implements WorkflowCommand {
        public static final int MAX_LIMIT = 200;
    }

    /**
     * Nothing else of it starts.
     *
     * @param activeToo also what runs ends
     */
    record CancelWorkflow(
            JobId workflow, @Wire.Name("active") boolean activeToo) implements WorkflowCommand {}

    /**
     * Runs steps that have failed again, and what was cancelled because of them.
     *
     * @param steps their ids; none for all that have failed
     */
    record RetryWorkflow(
            JobId workflow,

            @Wire.Most(RetryWorkflow.MOST_STEPS) @Wire.Chars(1_000)
            List<String> steps) implements WorkflowCommand {
        public static final int MOST_STEPS = 1_000;

        public RetryWorkflow {
            steps = List.copyOf(steps);
        }
    }

    /**
     * Jobs come to a batch, or steps to a graph, while it runs. The first line of the reply is the workflow, each further one a step that has come.
     *
     * @param jobs a group of jobs, or a graph of steps that may depend on those of the workflow, as a client describes it
     * @param total how many jobs the workflow must have so far; null for any number
     */
    record AddJobs(
            JobId workflow,
            byte[] jobs,
            @Nullable @Wire.Least(0) Long total) implements WorkflowCommand {
        /** They travel in one record. */
        public static final int MAX_BYTES = 8 * 1024 * 1024;
    }

    /**
     * How jobs of this partition stand that are steps of workflows: one line for each that is here.
     */
    record GetStepJobs(@Wire.Most(GetStepJobs.MOST) List<JobId> jobs) implements WorkflowCommand {
        public static final int MOST = 200;

        public GetStepJobs {
            jobs = List.copyOf(jobs);
        }
    }

    /**
     * What a partition sends itself: the first jobs of a workflow are stored, or there is room for them; or they were rejected.
     *
     * @param room the name of the room that is reserved for them; null if they are stored
     */
    record FirstJobsStored(
            JobId workflow,
            @Nullable Rejection rejection,
            @Nullable Long room) implements Message {}
}
