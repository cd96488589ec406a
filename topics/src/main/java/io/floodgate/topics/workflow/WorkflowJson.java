package io.floodgate.topics.workflow;

import io.floodgate.topics.JobId;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;

/** Writes a workflow in its canonical spelling; reading it again gives an equal one. */
public final class WorkflowJson {
    private WorkflowJson() {}

    public static byte[] write(WorkflowPlan plan) {
        JsonOut out = new JsonOut(4_096).beginObject();
        JobId id = plan.id();
        if (id != null) out.field("id", id.toString());
        out.optional("name", plan.name());
        if (plan.timeout() != null) out.field("timeout_ms", plan.timeout().toMillis());
        if (plan.retention() != null) out.field("retention_ms", plan.retention().toMillis());
        if (plan.failFast()) out.field("on_failure", "fail_fast");
        inside(plan, plan.root(), out);
        return out.endObject().toBytes();
    }

    private static void inside(WorkflowPlan plan, WorkflowStep parent, JsonOut out) {
        Shape shape = parent.shape();
        if (shape == null) throw new IllegalStateException("a job with steps inside");
        out.field("type", shape.wire())
                .name(shape.isUnordered() ? "jobs" : "steps")
                .beginArray();
        for (WorkflowStep step : plan.inside(parent)) if (step.callback() == null) write(plan, step, shape, out);
        out.endArray();
        boolean hasCallbacks = false;
        for (WorkflowStep step : plan.inside(parent)) {
            Callback callback = step.callback();
            Envelope job = step.job();
            if (callback == null || job == null) continue;
            if (!hasCallbacks) out.name("callbacks").beginObject();
            hasCallbacks = true;
            out.name(callback.wire())
                    .beginObject()
                    .field("id", step.id())
                    .members(job.toJson())
                    .endObject();
        }
        if (hasCallbacks) out.endObject();
    }

    private static void write(WorkflowPlan plan, WorkflowStep step, Shape parent, JsonOut out) {
        out.beginObject().field("id", step.id());
        if (parent == Shape.DAG && !step.needs().isEmpty())
            out.field(
                    "depends_on",
                    step.needs().stream()
                            .map(index -> plan.steps().get(index).id())
                            .toList());
        if (step.runIf() != RunIf.ALL_SUCCEEDED)
            out.field("run_if", step.runIf().wire());
        if (step.allowFailure()) out.field("allow_failure", true);
        Envelope job = step.job();
        if (job == null) inside(plan, step, out);
        else out.members(job.toJson());
        out.endObject();
    }
}
