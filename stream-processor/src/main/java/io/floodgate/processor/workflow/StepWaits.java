package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.SignalCommand.AwaitSignal;
import io.floodgate.topics.command.SignalCommand.Signalled;
import io.floodgate.topics.command.SignalName;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.workflow.SignalWait;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Steps that wait for signals. The home of the workflow decides how each ends, by what comes first: the signal, the end of its
 * time, or that nothing of the workflow goes on.
 */
final class StepWaits {
    private final Workflows workflows;
    private final StepOutcomes outcomes;
    private final Routing routing;
    private final Effects out;

    StepWaits(Workflows workflows, StepOutcomes outcomes, PartitionContext context) {
        this.workflows = workflows;
        this.outcomes = outcomes;
        routing = context.routing();
        out = context.out();
    }

    /** Returns the signal that the step waits for; null for a step that waits for none. */
    static @Nullable SignalName signal(Head head, WorkflowNode node) {
        SignalWait wait = node.fixed.signal();
        if (wait == null) return null;
        String key = wait.key();
        return new SignalName(head.fixed.tenant(), wait.event(), key == null ? head.shownId() : key);
    }

    /** Returns when the time of a step that waits is over; null if it has none. */
    static @Nullable Instant until(WorkflowNode node) {
        Duration timeout = Objects.requireNonNull(node.fixed.signal()).timeout();
        Instant since = node.readyAt;
        return timeout == null || since == null ? null : since.plus(timeout);
    }

    /** The steps that can begin to wait do so. */
    void begin(StepFlow flow) {
        for (WorkflowNode node : flow.takeListening()) {
            tell(flow, node, true);
            Instant until = until(node);
            if (until != null) workflows.wake(WorkflowStore.name(flow.head.id(), node.fixed.index()), until);
            outcomes.events().waits(flow, node);
        }
    }

    private void tell(StepFlow flow, WorkflowNode node, boolean waits) {
        SignalName name = Objects.requireNonNull(signal(flow.head, node));
        AwaitSignal message = new AwaitSignal(
                name.tenant(), name.event(), name.key(), out.log(), flow.head.shownId(), node.fixed.index(), waits);
        out.tell(routing.ofSignal(name), name.text(), message);
    }

    /** Asks again: the signal may have come meanwhile. */
    void ask(StepFlow flow, WorkflowNode node, PartitionId home) {
        SignalName name = signal(flow.head, node);
        if (node.state == NodeState.LISTENING
                && name != null
                && routing.ofSignal(name).equals(home)) tell(flow, node, true);
    }

    void signalled(Signalled message) {
        StepFlow flow = workflows.flow(message.workflow());
        if (flow == null || message.step() >= flow.head.nodes()) return;
        WorkflowNode node = flow.node(message.step());
        if (node.state != NodeState.LISTENING) return;
        workflows.stopWaking(WorkflowStore.name(flow.head.id(), node.fixed.index()));
        outcomes.signalled(flow, node, message.data());
        flow.settle();
        workflows.goOn(flow, null, "");
    }

    /** The time of the step is over. */
    void timeOut(StepFlow flow, WorkflowNode node) {
        tell(flow, node, false);
        SignalName name = Objects.requireNonNull(signal(flow.head, node));
        Duration timeout = Objects.requireNonNull(node.fixed.signal()).timeout();
        outcomes.fail(
                flow,
                node,
                "wait_timeout",
                "No signal '%s' with key '%s' has come within %s."
                        .formatted(name.event(), name.key(), timeout == null ? "its time" : Durations.format(timeout)));
        flow.settle();
        workflows.goOn(flow, null, "");
    }

    /** Nothing of the workflow goes on. */
    void cancel(StepFlow flow, WorkflowNode node) {
        workflows.stopWaking(WorkflowStore.name(flow.head.id(), node.fixed.index()));
        tell(flow, node, false);
        flow.end(node, NodeState.CANCELLED);
    }
}
