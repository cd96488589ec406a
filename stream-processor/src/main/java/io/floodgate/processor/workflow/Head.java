package io.floodgate.processor.workflow;

import io.floodgate.processor.store.StoredForm;
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
    static final StoredForm<Head> STORED = new StoredForm<>(Head.class, 1, "a workflow");

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
                    .filter(step -> step.isLeaf() && step.callback() == null)
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
            return JsonOut.object()
                    .beginObject("error")
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

    /** Steps that wait for signals. */
    int listening;

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
    transient byte @Nullable [] stored;

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

    static Head read(byte[] stored) {
        Head head = STORED.read(stored);
        head.stored = stored;
        return head;
    }
}
