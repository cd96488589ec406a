package io.floodgate.topics.workflow;

import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Writes a workflow in its canonical spelling; reading it again gives an equal one. */
public final class WorkflowJson {
    private final WorkflowPlan plan;
    private final Function<Envelope, byte[]> job;

    private WorkflowJson(WorkflowPlan plan, Function<Envelope, byte[]> job) {
        this.plan = plan;
        this.job = job;
    }

    public static byte[] write(WorkflowPlan plan) {
        return new WorkflowJson(plan, Envelope::toJson).write();
    }

    /** The same with jobs of which only type, queue and tenant are there. */
    public static byte[] outline(WorkflowPlan plan) {
        String tenant = plan.tenant();
        return new WorkflowJson(plan, job -> outline(job, tenant)).write();
    }

    private static byte[] outline(Envelope job, String tenant) {
        JsonOut out = JsonOut.object(128)
                .field("type", job.type())
                .field("queue", job.queue())
                .beginArray("args")
                .endArray();
        if (!tenant.equals(TenantId.DEFAULT))
            out.beginObject("meta").field("tenant_id", tenant).endObject();
        return out.endObject().toBytes();
    }

    private byte[] write() {
        JsonOut out = JsonOut.object(4_096);
        WorkflowId id = plan.id();
        if (id != null) out.field("id", id.text());
        out.optional("name", plan.name());
        if (plan.timeout() != null) out.field("timeout_ms", plan.timeout().toMillis());
        if (plan.retention() != null) out.field("retention_ms", plan.retention().toMillis());
        if (plan.failFast()) out.field("on_failure", "fail_fast");
        inside(plan.root(), out);
        return out.endObject().toBytes();
    }

    private void inside(WorkflowStep parent, JsonOut out) {
        Shape shape = parent.shape();
        if (shape == null) throw new IllegalStateException("a job with steps inside");
        out.field("type", shape.wire()).beginArray(shape.isUnordered() ? "jobs" : "steps");
        for (WorkflowStep step : plan.inside(parent)) if (step.callback() == null) write(step, shape, out);
        out.endArray();
        boolean hasCallbacks = false;
        for (WorkflowStep step : plan.inside(parent)) {
            Callback callback = step.callback();
            Envelope envelope = step.job();
            if (callback == null || envelope == null) continue;
            if (!hasCallbacks) out.beginObject("callbacks");
            hasCallbacks = true;
            out.beginObject(callback.wire())
                    .field("id", step.id())
                    .members(job.apply(envelope))
                    .endObject();
        }
        if (hasCallbacks) out.endObject();
    }

    private void write(WorkflowStep step, Shape parent, JsonOut out) {
        out.beginObject().field("id", step.id());
        List<String> needed = new ArrayList<>(step.outside());
        for (int index : step.needs()) needed.add(plan.steps().get(index).id());
        if (parent == Shape.DAG && !needed.isEmpty()) out.field("depends_on", needed);
        StepCondition condition = step.condition();
        if (condition != null)
            condition.write(plan.steps().get(condition.step()).id(), out);
        else if (step.runIf() != RunIf.ALL_SUCCEEDED)
            out.field("run_if", step.runIf().wire());
        if (step.allowFailure()) out.field("allow_failure", true);
        ForEach list = step.forEach();
        if (list != null) list.write(plan.steps().get(list.step()).id(), out);
        Envelope envelope = step.job();
        if (step.signal() != null) step.signal().write(out);
        else if (envelope == null) inside(step, out);
        else out.members(job.apply(envelope));
        out.endObject();
    }
}
