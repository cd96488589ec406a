package io.floodgate.processor.workflow;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Results of other steps that a step gets (OJS workflows §7). */
final class StepResults {
    /** Most bytes that one step gets; the largest results become references first. Many steps may get the same. */
    private static final int MOST_GIVEN = 512 * 1024;

    /**
     * Most bytes that a callback gets. There are few callbacks, and each gets all results, if only as references (OJS
     * workflows §7.4).
     */
    static final int MOST_GIVEN_TO_CALLBACK = 1536 * 1024;

    static final int REFERENCE_BYTES = 96;
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final byte[] EMPTY = {'[', ']'};
    private static final byte[] EMPTY_OBJECT = {'{', '}'};

    private final StepFlow flow;
    /** Results that are the same for all steps inside of one. */
    private final Map<Integer, byte[]> given = new TreeMap<>();

    private final Map<Integer, byte[]> ofCallbacks = new TreeMap<>();

    StepResults(StepFlow flow) {
        this.flow = flow;
    }

    /** Returns the results as JSON: an array by the positions of steps, or an object by their names. */
    byte[] givenTo(WorkflowNode node) {
        WorkflowNode parent = flow.node(node.fixed.parent());
        boolean isFirst = switch (parent.fixed.inside()) {
            case CHAIN -> node.fixed.position() == 0;
            case GROUP, BATCH -> true;
            case DAG -> node.fixed.needs().isEmpty();
        };
        if (node.fixed.callback() != null) return givenToCallbacks(parent);
        if (isFirst) return givenInside(parent);
        return parent.fixed.inside() == Shape.CHAIN
                ? array(before(parent, node.fixed.position()), MOST_GIVEN)
                : named(ancestors(node));
    }

    private byte[] givenToCallbacks(WorkflowNode parent) {
        byte[] known = ofCallbacks.get(parent.fixed.index());
        if (known != null) return known;
        byte[] all = array(before(parent, Integer.MAX_VALUE), MOST_GIVEN_TO_CALLBACK);
        ofCallbacks.put(parent.fixed.index(), all);
        return all;
    }

    private byte[] givenInside(WorkflowNode parent) {
        byte[] known = given.get(parent.fixed.index());
        if (known != null) return known;
        boolean isRoot = parent.fixed.parent() < 0;
        byte[] root = parent.fixed.inside() == Shape.DAG ? EMPTY_OBJECT : EMPTY;
        byte[] all = isRoot ? root : givenTo(parent);
        given.put(parent.fixed.index(), all);
        return all;
    }

    private List<WorkflowNode> before(WorkflowNode parent, int position) {
        List<WorkflowNode> before = new ArrayList<>();
        for (int i = parent.fixed.index() + 1; i <= parent.fixed.last(); ) {
            WorkflowNode node = flow.look(i);
            // Positions rise, and callbacks are last.
            if (node.fixed.callback() != null || node.fixed.position() >= position) break;
            before.add(node);
            i = node.fixed.last() + 1;
        }
        for (int i : flow.addedTo(parent)) before.add(flow.look(i));
        return before;
    }

    private List<WorkflowNode> ancestors(WorkflowNode node) {
        Set<Integer> found = new TreeSet<>();
        List<Integer> next = new ArrayList<>(node.fixed.needs());
        while (!next.isEmpty()) {
            int index = next.removeLast();
            if (found.add(index)) next.addAll(flow.look(index).fixed.needs());
        }
        return found.stream().map(flow::look).toList();
    }

    private byte[] array(List<WorkflowNode> nodes, int most) {
        Set<Integer> referred = referred(nodes, most);
        JsonOut out = new JsonOut(1024).beginArray();
        for (WorkflowNode node : nodes) out.raw(result(node, referred));
        return bounded(out.endArray(), most);
    }

    private byte[] named(List<WorkflowNode> nodes) {
        Set<Integer> referred = referred(nodes, MOST_GIVEN);
        JsonOut out = JsonOut.object(1024);
        for (WorkflowNode node : nodes) out.fieldRaw(node.fixed.id(), result(node, referred));
        return bounded(out.endObject(), MOST_GIVEN);
    }

    private byte[] bounded(JsonOut all, int most) {
        if (all.length() <= most) return all.toBytes();
        return JsonOut.object()
                .field("truncated", true)
                .field("href", "/ojs/v1/workflows/%s/results".formatted(flow.head.shownId()))
                .endObject()
                .toBytes();
    }

    private byte[] result(WorkflowNode node, Set<Integer> referred) {
        if (node.fixed.isLeaf()) return resultOfJob(node, referred);
        List<WorkflowNode> inside = before(node, Integer.MAX_VALUE);
        Shape shape = node.fixed.inside();
        // A chain gives what its last step gives.
        if (shape == Shape.CHAIN) return result(inside.getLast(), referred);
        JsonOut out = JsonOut.object(1024);
        for (WorkflowNode child : inside)
            out.fieldRaw(
                    shape == Shape.DAG ? child.fixed.id() : Integer.toString(child.fixed.position()),
                    result(child, referred));
        return out.endObject().toBytes();
    }

    private byte[] resultOfJob(WorkflowNode node, Set<Integer> referred) {
        boolean hasOutcome = node.state == NodeState.COMPLETED || node.state == NodeState.FAILED;
        if (!hasOutcome || node.resultSize == 0) return NULL;
        if (referred.contains(node.fixed.index()))
            return JsonOut.object()
                    .field("result_ref", path(flow, node))
                    .endObject()
                    .toBytes();
        byte[] result = node.hasResult ? flow.store.result(flow.head.id(), node.fixed.index()) : null;
        return result == null ? reference(flow, node) : result;
    }

    static byte[] reference(StepFlow flow, WorkflowNode node) {
        return JsonOut.object()
                .field("result_ref", path(flow, node))
                .field("result_size_bytes", node.resultSize)
                .field("result_content_type", "application/json")
                .endObject()
                .toBytes();
    }

    /** A result that is kept with the workflow lives as long as that, one that is not as long as its job. */
    private static String path(StepFlow flow, WorkflowNode node) {
        return node.hasResult
                ? "/ojs/v1/workflows/%s/results/%d".formatted(flow.head.shownId(), node.fixed.index())
                : "/ojs/v1/jobs/%s/result".formatted(node.job);
    }

    /** Returns the steps of which only a reference is given, so that the results are not too large. */
    private Set<Integer> referred(List<WorkflowNode> nodes, int most) {
        List<WorkflowNode> leaves = new ArrayList<>();
        for (WorkflowNode node : nodes) leaves(node, leaves);
        long bytes = 0;
        for (WorkflowNode leaf : leaves)
            bytes += leaf.hasResult || leaf.resultSize == 0 ? leaf.resultSize + 8L : 2 * REFERENCE_BYTES;
        Set<Integer> referred = new TreeSet<>();
        if (bytes <= most) return referred;
        leaves.sort(Comparator.comparingInt((WorkflowNode leaf) -> leaf.resultSize)
                .reversed()
                .thenComparingInt(leaf -> leaf.fixed.index()));
        for (WorkflowNode leaf : leaves) {
            if (bytes <= most || leaf.resultSize <= REFERENCE_BYTES) break;
            if (!leaf.hasResult) continue;
            referred.add(leaf.fixed.index());
            bytes -= leaf.resultSize - REFERENCE_BYTES;
        }
        return referred;
    }

    private void leaves(WorkflowNode node, List<WorkflowNode> into) {
        if (node.fixed.isLeaf()) into.add(node);
        else for (WorkflowNode child : before(node, Integer.MAX_VALUE)) leaves(child, into);
    }
}
