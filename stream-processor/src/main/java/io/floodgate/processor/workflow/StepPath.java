package io.floodgate.processor.workflow;

/**
 * The name of a step among all of its workflow: the ids of the steps that it is inside of, and its own, with dots
 * between.
 */
final class StepPath {
    private StepPath() {}

    static String of(StepFlow flow, WorkflowNode node) {
        StringBuilder path = new StringBuilder(node.fixed.id());
        for (int up = node.fixed.parent(); up > 0; up = flow.node(up).fixed.parent())
            path.insert(0, '.').insert(0, flow.node(up).fixed.id());
        return path.toString();
    }
}
