package io.floodgate.processor.workflow;

import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import io.floodgate.topics.workflow.ForEach;
import io.floodgate.topics.workflow.StepCondition;
import io.floodgate.topics.workflow.WorkflowReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What the result of a step decides about others: whether they run, or how many jobs they have. A result that is not kept with
 * the workflow, since it has too many, is none here.
 */
record StepLists(StepFlow flow) {
    /** One is equal to one point zero. */
    private static final Comparator<JsonNode> VALUES = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    /** Returns whether the condition holds, now that the step which it is about has ended. */
    boolean holds(StepCondition condition) {
        WorkflowNode about = flow.look(condition.step());
        boolean hasEnded = condition.ended() == null
                || switch (condition.ended()) {
                    case COMPLETED -> about.state == NodeState.COMPLETED;
                    case FAILED -> about.state == NodeState.FAILED || about.state == NodeState.CANCELLED;
                    case SKIPPED -> about.state == NodeState.SKIPPED;
                    // A step that waits for a signal fails for no other reason.
                    case TIMED_OUT -> about.state == NodeState.FAILED;
                };
        String value = condition.value();
        if (value == null || !hasEnded) return hasEnded;
        JsonNode there = result(about, condition.at());
        boolean isEqual = there.equals(VALUES, Json.MAPPER.readTree(value));
        return isEqual != condition.isOther();
    }

    /** What stands in the result of a step; {@code null} of JSON for a step that has none. */
    private JsonNode result(WorkflowNode of, @Nullable String at) {
        boolean hasResult = of.state == NodeState.COMPLETED && of.hasResult;
        byte[] stored = hasResult ? flow.store.result(flow.head.id(), of.fixed.index()) : null;
        JsonNode result = stored == null ? Json.MAPPER.nullNode() : Json.reasonableTree(stored);
        JsonNode there = at == null ? result : result.at(at);
        return there instanceof MissingNode ? Json.MAPPER.nullNode() : there;
    }

    /**
     * Adds a job to the step for each element of its list.
     *
     * @param template the job without its arguments
     * @return why not; null if it was done
     */
    @Nullable
    String expand(WorkflowNode node, ForEach list, byte[] template) {
        JsonNode elements = result(flow.look(list.step()), list.at());
        if (!elements.isArray())
            return "The result of the step that it is for%s is no list."
                    .formatted(list.at() == null ? "" : ", at " + list.at() + ",");
        if (elements.size() > list.most())
            return "The list has %d elements; at most %d are accepted.".formatted(elements.size(), list.most());
        if (flow.head.nodes() + elements.size() > WorkflowReader.MOST_STEPS)
            return "The workflow would have more than %d steps.".formatted(WorkflowReader.MOST_STEPS);
        Template parts = Template.of(template);
        List<byte[]> jobs = new ArrayList<>();
        long bytes = 0;
        for (JsonNode element : elements) {
            byte[] job = parts.job(element);
            jobs.add(job);
            bytes += job.length;
            if (bytes > ForEach.MAX_BYTES)
                return "Its jobs would have more than %d bytes.".formatted(ForEach.MAX_BYTES);
        }
        node.isExpanded = true;
        for (int i = 0; i < jobs.size(); i++) add(node, i, jobs.get(i));
        return null;
    }

    /** A job without its first argument, which is the element. */
    private record Template(byte[] others, List<byte[]> args) {
        static Template of(byte[] job) {
            JsonOut others = JsonOut.object(job.length);
            MemberWalk members = new MemberWalk(job);
            while (members.next()) if (!members.nameIs("args")) members.copyTo(others);
            List<byte[]> args = new ArrayList<>();
            for (JsonNode arg : Json.tree(job).path("args")) args.add(Json.bytes(arg));
            return new Template(others.endObject().toBytes(), args);
        }

        byte[] job(JsonNode element) {
            JsonOut out = JsonOut.object(others.length + 256)
                    .members(others)
                    .beginArray("args")
                    .raw(Json.bytes(element));
            args.forEach(out::raw);
            return out.endArray().endObject().toBytes();
        }
    }

    private void add(WorkflowNode parent, int position, byte[] job) {
        int index = flow.head.nodes();
        flow.store.putJob(flow.head.id(), index, job);
        WorkflowNode node = WorkflowNode.ofElement(parent, index, position);
        flow.bring(node);
        flow.begin(node);
    }
}
