package io.floodgate.processor.workflow;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a workflow as a whole. */
final class Head {
    private static final int VERSION = 1;

    /** Errors of steps that are kept here. */
    static final int MOST_ERRORS = 20;

    /** Results of steps that are kept, together; larger ones only as references. */
    private static final long MOST_RESULT_BYTES = 16L * 1024 * 1024;

    /** The members that never change. */
    record Fixed(
            WorkflowId id,
            @Nullable String name,
            Shape shape,
            Instant createdAt,
            @Nullable Identity by,
            String tenant,
            int nodes,
            int jobs,
            boolean failFast,
            @Nullable Duration retention,
            @Nullable Duration timeout) {
        static Fixed of(WorkflowPlan plan, WorkflowId id, Instant now, @Nullable Identity by) {
            int jobs = (int) plan.steps().stream()
                    .filter(step -> step.isJob() && step.callback() == null)
                    .count();
            return new Fixed(
                    id,
                    plan.name(),
                    plan.shape(),
                    now,
                    by,
                    plan.tenant(),
                    plan.steps().size(),
                    jobs,
                    plan.failFast(),
                    plan.retention(),
                    plan.timeout());
        }
    }

    /** A failure of a step. */
    record StepError(int node, String step, @Nullable JobId job, String code, String message, int attempt) {
        /** Returns the error as the only member of an object, so that it cannot be taken for a result. */
        byte[] toJson() {
            return new JsonOut()
                    .beginObject()
                    .name("error")
                    .beginObject()
                    .optional("job_id", job == null ? null : job.toString())
                    .field("code", code)
                    .field("message", message)
                    .field("attempt", attempt)
                    .endObject()
                    .endObject()
                    .toBytes();
        }
    }

    final Fixed fixed;
    /** The queues of all of its jobs; the first one is that of its events. */
    List<String> queues;
    /** Jobs that have come to an open batch. */
    int added;

    WorkflowState state = WorkflowState.RUNNING;
    int completed;
    int failed;
    int cancelled;

    /** Time at which a step has ended last, or the workflow has begun, to the minute. */
    Instant progressAt;

    @Nullable
    Instant endedAt;

    @Nullable
    Instant cancelledAt;

    /** Time at which the workflow is forgotten, once it has ended. */
    @Nullable
    Instant forgottenAt;

    /** Time at which the workflow times out. */
    @Nullable
    Instant deadline;

    boolean timedOut;
    long resultBytes;

    @Nullable
    String failedCallback;

    List<StepError> errors = new ArrayList<>();
    /** The caller that has cancelled the workflow, and is answered when no job of it starts any more. */
    @Nullable
    ReplyTo canceller;
    /** Jobs of which it is not known yet whether they will start. */
    int unconfirmed;

    /** The upload that brought the jobs; null if they came with the workflow. */
    @Nullable
    Long upload;

    /** The stored form, as far as the flow at hand knows it. */
    byte @Nullable [] stored;

    Head(Fixed fixed, Collection<String> queues) {
        this.fixed = fixed;
        this.queues = List.copyOf(queues);
        deadline = fixed.timeout == null ? null : fixed.createdAt.plus(fixed.timeout);
        progressAt = fixed.createdAt;
    }

    /** Returns the number of all steps, with the workflow itself. */
    int nodes() {
        return fixed.nodes + added;
    }

    /** Returns the number of jobs without callbacks. */
    int jobs() {
        return fixed.jobs + added;
    }

    /** Returns the id by which the workflow is stored. */
    JobId id() {
        return fixed.id.key();
    }

    /** Returns the id as it is shown. */
    String shownId() {
        return fixed.id.text();
    }

    boolean hasRoomForResult(int bytes) {
        return resultBytes + bytes <= MOST_RESULT_BYTES;
    }

    void add(StepError error) {
        if (errors.size() < MOST_ERRORS) errors.add(error);
    }

    byte[] write() {
        BinaryOut out = new BinaryOut()
                .u8(VERSION)
                .job(fixed.id.key())
                .text(fixed.id.text())
                .optional(fixed.name)
                .text(fixed.shape.wire())
                .time(fixed.createdAt)
                .optional(Identity.written(fixed.by))
                .text(fixed.tenant)
                .number(queues.size());
        queues.forEach(out::text);
        out.number(fixed.nodes)
                .number(fixed.jobs)
                .flag(fixed.failFast)
                .optional(fixed.retention == null ? null : (Long) fixed.retention.toMillis())
                .optional(fixed.timeout == null ? null : (Long) fixed.timeout.toMillis())
                .optional(deadline)
                .number(added)
                .text(state.name())
                .number(completed)
                .number(failed)
                .number(cancelled)
                .time(progressAt)
                .optional(endedAt)
                .optional(cancelledAt)
                .optional(forgottenAt)
                .flag(timedOut)
                .number(resultBytes)
                .optional(failedCallback)
                .optional(canceller == null ? null : canceller.toString())
                .number(unconfirmed)
                .number(errors.size());
        for (StepError error : errors)
            out.number(error.node)
                    .text(error.step)
                    .optional(error.job == null ? null : error.job.toString())
                    .text(error.code)
                    .text(error.message)
                    .number(error.attempt);
        if (upload != null) out.number(upload);
        return out.toBytes();
    }

    static Head read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a workflow");
        WorkflowId id = new WorkflowId(in.job(), in.text());
        String name = in.optionalText();
        Shape shape = Shape.parse(in.text()).orElseThrow();
        Instant createdAt = in.time();
        Identity by = Identity.stored(in.optionalText());
        String tenant = in.text();
        List<String> queues = new ArrayList<>();
        for (int left = in.integer(); left > 0; left--) queues.add(in.text());
        int nodes = in.integer();
        int jobs = in.integer();
        boolean failFast = in.flag();
        Long retention = in.optionalNumber();
        Long timeout = in.optionalNumber();
        Instant deadline = in.optionalTime();
        Fixed fixed = new Fixed(
                id,
                name,
                shape,
                createdAt,
                by,
                tenant,
                nodes,
                jobs,
                failFast,
                retention == null ? null : Duration.ofMillis(retention),
                timeout == null ? null : Duration.ofMillis(timeout));
        Head head = new Head(fixed, queues);
        head.deadline = deadline;
        head.added = in.integer();
        head.state = WorkflowState.valueOf(in.text());
        head.completed = in.integer();
        head.failed = in.integer();
        head.cancelled = in.integer();
        head.progressAt = in.time();
        head.endedAt = in.optionalTime();
        head.cancelledAt = in.optionalTime();
        head.forgottenAt = in.optionalTime();
        head.timedOut = in.flag();
        head.resultBytes = in.number();
        head.failedCallback = in.optionalText();
        String canceller = in.optionalText();
        head.canceller = canceller == null ? null : ReplyTo.parse(canceller);
        head.unconfirmed = in.integer();
        for (int left = in.integer(); left > 0; left--) {
            int node = in.integer();
            String step = in.text();
            String job = in.optionalText();
            head.errors.add(new StepError(
                    node,
                    step,
                    job == null ? null : JobId.parse(job).orElseThrow(),
                    in.text(),
                    in.text(),
                    in.integer()));
        }
        if (in.hasMore()) head.upload = in.number();
        head.stored = stored;
        return head;
    }
}
