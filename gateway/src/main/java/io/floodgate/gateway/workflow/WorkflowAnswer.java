package io.floodgate.gateway.workflow;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.StepWaitReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A workflow as its home shows it: the workflow, and a line for each step. Clients find it under {@code workflow}, and, for those
 * that expect it bare, beside it.
 */
public final class WorkflowAnswer {
    private final ObjectNode workflow;
    private final long bytes;
    private final List<ObjectNode> steps = new ArrayList<>();

    private WorkflowAnswer(ObjectNode workflow, long bytes) {
        this.workflow = workflow;
        this.bytes = bytes;
    }

    public static WorkflowAnswer of(List<byte[]> lines) {
        WorkflowAnswer answer = new WorkflowAnswer((ObjectNode) Json.tree(lines.getFirst()), bytes(lines));
        for (byte[] line : lines.subList(1, lines.size())) answer.steps.add((ObjectNode) Json.tree(line));
        return answer;
    }

    static long bytes(List<byte[]> lines) {
        long bytes = 0;
        for (byte[] line : lines) bytes += line.length;
        return bytes;
    }

    /** The size of what its home has said. */
    long bytes() {
        return bytes;
    }

    public String id() {
        return workflow.path("id").asString();
    }

    /** Its own members, without its steps. */
    public ObjectNode head() {
        return workflow;
    }

    public List<ObjectNode> steps() {
        return steps;
    }

    /** Steps, workflows inside and callbacks. */
    int total() {
        return workflow.path("entries_total").asInt();
    }

    /** Returns whether there are steps behind these. */
    public boolean hasMore() {
        return !workflow.path("next_step").isMissingNode();
    }

    /** These alone: the first page of steps has the callbacks of the workflow, too. */
    void keep(int limit) {
        if (steps.size() > limit) steps.subList(limit, steps.size()).clear();
    }

    /** The jobs of which only their queues know how they stand. */
    List<JobId> placed() {
        List<JobId> jobs = new ArrayList<>();
        for (ObjectNode step : steps) if (isPlaced(step)) job(step).ifPresent(jobs::add);
        return jobs;
    }

    private static boolean isPlaced(ObjectNode step) {
        return step.path("state").asString().equals("pending")
                && !step.path("waits").path("reason").asString("").equals(StepWaitReason.OWN_LINE_FULL.wire());
    }

    private static Optional<JobId> job(ObjectNode step) {
        JsonNode job = step.path("job_id");
        return job.isString() ? JobId.parse(job.asString()) : Optional.empty();
    }

    /**
     * Says of each step what its queue knows.
     *
     * @param known how jobs stand, by their ids; those of silent partitions are missing
     */
    void complete(Map<JobId, JsonNode> known) {
        for (ObjectNode step : steps) {
            if (!isPlaced(step)) continue;
            JsonNode found = job(step).map(known::get).orElse(null);
            if (found != null) {
                step.put("state", stateOf(found.path("state").asString()));
                for (String name : List.of("attempt", "started_at", "waits"))
                    if (!found.path(name).isMissingNode()) step.set(name, found.path(name));
                if (found.path("waits").isMissingNode()) step.remove("waits");
            } else if (step.path("waits").isMissingNode()) {
                ObjectNode waits = step.putObject("waits");
                waits.put("reason", StepWaitReason.LOG_SILENT.wire());
                waits.put("queue", step.path("queue").asString());
            }
        }
    }

    /** What a job's state is among those of steps. */
    private static String stateOf(String job) {
        return switch (job) {
            case "active" -> "active";
            case "completed" -> "completed";
            case "cancelled", "discarded" -> "failed";
            default -> "pending";
        };
    }

    /** Returns whether other steps are inside of it. */
    static boolean isWorkflow(JsonNode step) {
        return step.path("kind").asString("").equals("workflow");
    }

    /** How many steps are in this state. */
    long count(String state) {
        return steps.stream()
                .filter(step -> step.path("state").asString().equals(state) && !isWorkflow(step))
                .count();
    }

    JsonOut write() {
        return write(new JsonOut(8_192)).endObject();
    }

    /** The caller may add more beside it. */
    JsonOut write(JsonOut out) {
        byte[] whole = whole();
        return out.beginObject().fieldRaw("workflow", whole).members(whole);
    }

    private byte[] whole() {
        JsonOut out = JsonOut.object(4_096).members(Json.bytes(workflow));
        out.beginArray("steps");
        for (ObjectNode step : steps) if (!isCallback(step)) out.raw(Json.bytes(step));
        out.endArray();
        if (hasMore()) {
            int next = workflow.path("next_step").asInt() - 1;
            out.field("steps_omitted", total() - steps.size())
                    .field(
                            "steps_href",
                            "/ojs/v1/workflows/%s/steps?offset=%d&limit=%d"
                                    .formatted(id(), next, GetWorkflow.MAX_LIMIT));
        }
        out.beginObject("callbacks");
        for (ObjectNode step : steps)
            if (isCallback(step)) out.fieldRaw(step.path("callback").asString(), Json.bytes(step));
        return out.endObject().endObject().toBytes();
    }

    /** Of the workflow itself; those of workflows inside are among the steps. */
    private static boolean isCallback(ObjectNode step) {
        return step.path("of_workflow").booleanValue(false);
    }
}
