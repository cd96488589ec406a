package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.topics.workflow.WorkflowStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of large workflows that come ahead of them, in parts. They are stored where the workflow will look for them, so that nothing
 * is copied when it is created; until then only their number leads to them. What is not created soon is dropped.
 */
final class Uploads {
    static final String TIMER = "upload/";

    private static final String DROP = "workflow-upload-drop";

    /** Most uploads at a time in one partition: they take space on disk only. */
    static final int MOST = 16;

    /** Most bytes of jobs in one upload. */
    private static final long MOST_BYTES = 2L * WorkflowReader.MAX_BYTES;

    private static final int SLICE = 100;

    private final Workflows workflows;
    private final WorkflowStore store;
    private final Work work;
    private final Effects out;

    Uploads(Workflows workflows, WorkflowStore store, PartitionContext context) {
        this.workflows = workflows;
        this.store = store;
        work = context.work();
        out = context.out();
        work.register(DROP, this::dropSome);
    }

    /**
     * The state of an upload.
     *
     * @param next the index of the step that comes next
     * @param print of the jobs that have come, in their order: those of another workflow have another one
     */
    record Upload(JobId workflow, int next, long bytes, long print) {
        static final StoredForm<Upload> STORED = new StoredForm<>(Upload.class, 1, "an upload of a workflow");

        boolean isWhole(WorkflowPlan plan) {
            long all = 0;
            for (WorkflowStep step : plan.steps()) if (step.index() > 0) all = print(all, step.job());
            // mutant: half-workflow
            return next == plan.steps().size() && all == print;
        }

        private static long print(long before, @Nullable Envelope job) {
            return OwnJobs.mix(job == null ? before + "/" : "%d/%s/%s".formatted(before, job.type(), job.queue()));
        }
    }

    void add(UploadJobs part) {
        List<@Nullable Envelope> jobs;
        try {
            jobs = read(part);
        } catch (UnreadableJob unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        Long named = part.upload();
        if (named == null && store.uploads() >= MOST) {
            out.reject(tooMany());
            return;
        }
        long number = named == null ? out.nextNumber() : named;
        Upload before = named == null ? new Upload(part.workflow(), 1, 0, 0) : store.upload(number);
        if (before == null || !before.workflow.equals(part.workflow()) || part.first() > before.next) {
            out.reject(incomplete());
            return;
        }
        // A part that comes again is there already.
        if (part.first() == before.next && !take(number, before, part, jobs)) return;
        out.reply(UploadJobs.reply(number));
    }

    private static List<@Nullable Envelope> read(UploadJobs part) throws UnreadableJob {
        List<@Nullable Envelope> jobs = new ArrayList<>();
        for (byte[] job : part.jobs()) jobs.add(job.length <= 2 ? null : EnvelopeReader.read(job));
        return jobs;
    }

    private boolean take(long number, Upload before, UploadJobs part, List<@Nullable Envelope> jobs) {
        long bytes = before.bytes;
        for (byte[] job : part.jobs()) bytes += job.length;
        if (bytes > MOST_BYTES || before.next + jobs.size() > WorkflowReader.MOST_STEPS + 1) {
            drop(number, before.next);
            out.reject(Rejection.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The steps of the workflow are more than %d, or have more than %d bytes."
                                    .formatted(WorkflowReader.MOST_STEPS, MOST_BYTES))
                    .with("max_bytes_of_steps", MOST_BYTES));
            return false;
        }
        long print = before.print;
        for (int i = 0; i < jobs.size(); i++) {
            Envelope job = jobs.get(i);
            print = Upload.print(print, job);
            if (job != null)
                store.putUploaded(number, before.next + i, part.jobs().get(i));
        }
        store.putUpload(number, new Upload(before.workflow, before.next + jobs.size(), bytes, print));
        workflows.wake(TIMER + number, out.now().plus(UploadJobs.KEPT));
        return true;
    }

    private static Rejection tooMany() {
        return Rejection.of(
                        ErrorCode.TOO_MANY_WORKFLOWS,
                        "%d large workflows are on their way to this partition; no other one comes in.".formatted(MOST))
                .with("max_uploads", MOST)
                .with("retry_after_seconds", 5);
    }

    private static Rejection incomplete() {
        return Rejection.of(
                ErrorCode.BACKEND_UNAVAILABLE,
                "The workflow was not stored: a part of it is missing, or did not come within %s of the one before. Try again."
                        .formatted(UploadJobs.KEPT));
    }

    /** Returns why this workflow cannot be created from the upload; null if it can. */
    @Nullable
    Rejection reject(long number, WorkflowPlan plan) {
        Upload upload = store.upload(number);
        WorkflowId id = plan.id();
        if (upload == null || id == null || !upload.workflow.equals(id.key())) return incomplete();
        return upload.isWhole(plan) ? null : incomplete();
    }

    /** Gives the upload to its workflow. */
    void take(long number) {
        store.deleteUpload(number);
        workflows.stopWaking(TIMER + number);
    }

    /** Drops an upload whose workflow was not created, or whose time is over. */
    void drop(long number) {
        Upload upload = store.upload(number);
        if (upload != null) drop(number, upload.next);
    }

    /** @param next follows the last index of a step */
    void drop(long number, int next) {
        take(number);
        work.begin(DROP, number + "/" + next, null);
    }

    void expire(String timer) {
        drop(Long.parseLong(timer.substring(TIMER.length())));
    }

    private byte @Nullable [] dropSome(Work.Piece piece) {
        String[] parts = piece.subject().split("/", 2);
        int next = piece.cursor().length == 0 ? 1 : new BinaryIn(piece.cursor()).integer();
        int end = Math.min(Integer.parseInt(parts[1]), next + SLICE);
        for (int i = next; i < end; i++) store.deleteUploaded(Long.parseLong(parts[0]), i);
        return end == Integer.parseInt(parts[1])
                ? null
                : new BinaryOut().number(end).toBytes();
    }

    void clear() {
        work.end(DROP);
    }
}
