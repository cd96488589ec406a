package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes workflows as they are shown: one row for the workflow, and one for each step. */
record WorkflowViews(Workflows workflows, WorkflowStore store, Effects out) {
    /** Workflows that are looked at for one page. */
    private static final int MOST_LOOKED_AT = 5_000;

    /** Most workflows beyond the page that are counted. */
    private static final int MOST_COUNTED = 1_000;

    private static final int MOST_FAILED_JOBS = 100;

    /** Time for which a failure is shown, unless the workflow is retried. */
    private static final Duration SHOWN_FAILED = Duration.ofDays(1);

    /** Time without the end of a step after which a workflow may be stuck. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private static final int MOST_FAILED = 200;
    private static final int MOST_SHOWN = 5;

    /** Returns whether there is no such workflow for this caller: it may see one only if it may see all of its jobs. */
    static boolean isHidden(Head head, @Nullable Identity by) {
        if (by == null) return false;
        boolean isOthers = by.tenant() != null && !by.tenant().equals(head.fixed.tenant());
        return isOthers || !head.queues.stream().allMatch(by::mayUse);
    }

    /** Writes workflows that have failed lately, and those that may be stuck; not all, if there are many. */
    void writeTroubled(JsonOut json) {
        List<JobId> failed = new ArrayList<>();
        store.failedSince(out.now().minus(SHOWN_FAILED), id -> failed.add(id) && failed.size() < MOST_FAILED);
        json.beginObject("failed_workflows").field("count", failed.size()).field("more", failed.size() == MOST_FAILED);
        json.beginArray("first");
        for (JobId id : failed.subList(0, Math.min(MOST_SHOWN, failed.size()))) {
            Head head = store.head(id);
            if (head == null) continue;
            write(head, json.beginObject());
            json.endObject();
        }
        json.endArray().endObject();
        json.field(
                "quiet_workflows",
                store.quietSince(out.now().minus(QUIET), 2 * MOST_SHOWN).stream()
                        .map(JobId::toString)
                        .toList());
    }

    void show(GetWorkflow command) {
        StepFlow flow = workflows.visible(command.workflow());
        if (flow != null) out.reply(lines(flow, command.from(), command.limit(), command.results()));
    }

    void list(ListWorkflows command) {
        WorkflowState state = command.state() == null
                ? null
                : WorkflowState.parse(command.state()).orElse(null);
        if (command.state() != null && state == null) {
            out.reject(Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "The state of a workflow is running, completed, failed or cancelled.")
                    .with("field", "state"));
            return;
        }
        JsonOut lines = new JsonOut(4_096);
        JobId[] last = {null};
        int[] counts = {0, 0};
        int[] beyond = {0, 0};
        store.scanBack(command.before(), head -> {
            boolean isBeyond = counts[0] == command.limit() || counts[1] == MOST_LOOKED_AT;
            if (isBeyond && beyond[1]++ == MOST_COUNTED) return false;
            if (!isBeyond) {
                counts[1]++;
                last[0] = head.id();
            }
            boolean fits = (state == null || head.state == state)
                    && (command.name() == null || command.name().equals(head.fixed.name()));
            if (!fits || isHidden(head, out.by())) return true;
            if (isBeyond) {
                beyond[0]++;
                return true;
            }
            counts[0]++;
            lines.beginObject();
            write(head, lines);
            lines.endObject().newLine();
            return true;
        });
        JsonOut all = JsonOut.object().field("running", store.running());
        if (beyond[1] > 0 && last[0] != null)
            all.field("next", last[0].toString()).field("unshown", beyond[0]);
        out.reply(all.endObject().newLine().append(lines));
    }

    static byte[] cancelled(Head head) {
        JsonOut line = JsonOut.object();
        write(head, line);
        return line.field("steps_cancelled", head.cancelled)
                .field("steps_already_completed", head.completed)
                .field("steps_cancelling", head.unconfirmed)
                .endObject()
                .toBytes();
    }

    /** @param results whether they are shown however large they are */
    static byte[] lines(StepFlow flow, int from, int limit, boolean results) {
        JsonOut lines = JsonOut.object(4_096);
        write(flow.head, lines);
        int size = flow.head.nodes();
        Integer failedStep = failedStep(flow);
        if (failedStep != null) lines.field("failed_step_index", failedStep);
        lines.beginArray("failed_job_ids");
        if (!flow.head.errors.isEmpty())
            flow.all().stream()
                    .filter(node -> node.fixed.isJob() && node.state == NodeState.FAILED && node.job != null)
                    .limit(MOST_FAILED_JOBS)
                    .forEach(node -> lines.value(String.valueOf(node.job)));
        lines.endArray();
        int next = Math.max(1, from);
        long end = Math.min(size, (long) next + limit);
        lines.field("entries_total", size - 1);
        if (end < size) lines.field("next_step", end);
        lines.endObject().newLine();
        StepViews steps = new StepViews(flow, results);
        for (int i = next; i < end; i++) steps.write(flow.node(i), lines);
        // They are shown although other steps are not.
        if (next == 1)
            for (WorkflowNode callback : flow.callbacks(flow.root()))
                if (callback.fixed.index() >= end) steps.write(callback, lines);
        return lines.toBytes();
    }

    /** Returns where a chain has stopped. */
    private static @Nullable Integer failedStep(StepFlow flow) {
        if (flow.head.fixed.shape() != Shape.CHAIN) return null;
        return flow.head.errors.stream()
                .filter(error -> error.node() > 0)
                .map(error -> {
                    WorkflowNode node = flow.node(error.node());
                    while (node.fixed.parent() > 0) node = flow.node(node.fixed.parent());
                    return node.fixed.position();
                })
                .findFirst()
                .orElse(null);
    }

    private static void write(Head head, JsonOut out) {
        Head.Fixed fixed = head.fixed;
        out.field("id", head.shownId())
                .field("type", fixed.shape().wire())
                .optional("name", fixed.name())
                .field("state", head.state.wire());
        for (String of : List.of("steps", "jobs"))
            out.field(of + "_total", head.jobs())
                    .field(of + "_completed", head.completed)
                    .field(of + "_failed", head.failed);
        out.field("created_at", fixed.createdAt())
                .field("progress_at", head.progressAt)
                .optional("cancelled_at", head.cancelledAt)
                .optional("completed_at", head.endedAt)
                .optional("timeout_at", head.deadline)
                .field("tenant_id", fixed.tenant())
                .field("queues", head.queues)
                .optional("created_by", fixed.by() == null ? null : fixed.by().name())
                .beginObject("metadata")
                .field("created_at", fixed.createdAt())
                .field("started_at", fixed.createdAt())
                .optional("completed_at", head.endedAt)
                .optional("cancelled_at", head.cancelledAt)
                .field("job_count", head.jobs())
                .field("completed_count", head.completed)
                .field("failed_count", head.failed)
                .field("cancelled_count", head.cancelled)
                .endObject()
                .optional("failed_callback", head.failedCallback)
                .beginArray("errors");
        for (Head.StepError error : head.errors)
            out.beginObject()
                    .optional("job_id", error.job() == null ? null : Objects.toString(error.job()))
                    .optional("step", error.node() == 0 ? null : error.step())
                    .field("code", error.code())
                    .field("message", error.message())
                    .field("attempt", error.attempt())
                    .endObject();
        out.endArray();
    }
}
