package io.floodgate.processor.workflow;

import io.floodgate.topics.JobId;
import io.floodgate.topics.workflow.Callback;
import io.floodgate.topics.workflow.RunIf;
import io.floodgate.topics.workflow.StepCondition;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what follows in one workflow from the end of steps: which others can run, which never will, and when the
 * whole workflow has ended. Steps are loaded when they are looked at; {@link #save} stores those that were.
 */
final class StepFlow {
    /** Gets the decisions. */
    interface Listener {
        void ended(StepFlow flow, WorkflowNode node);

        /** Adds a job for each element of the step's list; otherwise the step has failed. Returns whether it was done. */
        boolean expand(StepFlow flow, WorkflowNode node);

        void fired(StepFlow flow, WorkflowNode callback);

        void ended(StepFlow flow);
    }

    final Head head;
    final WorkflowStore store;
    final Instant now;
    private final Listener listener;
    private final Map<Integer, WorkflowNode> nodes = new TreeMap<>();
    private final Map<Integer, WorkflowNode> seen = new TreeMap<>();
    private final ArrayDeque<WorkflowNode> ended = new ArrayDeque<>();
    /** Jobs that can run, in the order in which that was found. */
    private final List<WorkflowNode> ready = new ArrayList<>();
    /** Steps that begin to wait for signals. */
    private final List<WorkflowNode> listening = new ArrayList<>();
    /** A step has failed, and nothing else is to start. */
    private boolean failsFast;

    StepFlow(Head head, WorkflowStore store, Instant now, Listener listener) {
        this.head = head;
        this.store = store;
        this.now = now;
        this.listener = listener;
    }

    /** Makes a flow with the steps of a new workflow. */
    StepFlow(Head head, List<WorkflowNode> all, WorkflowStore store, Instant now, Listener listener) {
        this(head, store, now, listener);
        all.forEach(node -> nodes.put(node.fixed.index(), node));
    }

    WorkflowNode node(int index) {
        WorkflowNode node = nodes.get(index);
        if (node != null) return node;
        WorkflowNode known = seen.remove(index);
        node = known == null ? store.node(head.id(), index) : known;
        nodes.put(index, node);
        return node;
    }

    /** A step that is only read: {@link #save} does not look at it. */
    WorkflowNode look(int index) {
        WorkflowNode node = nodes.get(index);
        return node == null ? seen.computeIfAbsent(index, i -> store.node(head.id(), i)) : node;
    }

    /** The error of a job that has failed, as the only member of an object; otherwise null. */
    byte @Nullable [] error(WorkflowNode node) {
        boolean hasFailed = node.fixed.isLeaf() && node.state == NodeState.FAILED;
        return hasFailed ? store.result(head.id(), node.fixed.index()) : null;
    }

    WorkflowNode root() {
        return node(0);
    }

    /** Returns all steps. */
    List<WorkflowNode> all() {
        List<WorkflowNode> all = new ArrayList<>();
        for (int i = 0; i < head.nodes(); i++) all.add(node(i));
        return all;
    }

    /** The steps directly inside of this one, callbacks last; behind them what was added. */
    List<WorkflowNode> inside(WorkflowNode parent) {
        List<WorkflowNode> inside = new ArrayList<>();
        for (int i = parent.fixed.index() + 1;
                i <= parent.fixed.last();
                i = node(i).fixed.last() + 1) inside.add(node(i));
        for (int i : addedTo(parent)) inside.add(node(i));
        return inside;
    }

    /** Jobs that have come to an open batch, which is the workflow itself, or one for each element of a list. */
    List<Integer> addedTo(WorkflowNode parent) {
        boolean mayHaveSome = parent.fixed.parent() < 0 || parent.isExpanded;
        if (!mayHaveSome || head.added == 0) return List.of();
        return IntStream.range(head.fixed.nodes(), head.nodes())
                .filter(i -> look(i).fixed.parent() == parent.fixed.index())
                .boxed()
                .toList();
    }

    /** A step comes to the workflow while it runs, after all others. {@link #begin} decides about it. */
    void bring(WorkflowNode node) {
        head.added++;
        nodes.put(node.fixed.index(), node);
        node(node.fixed.parent()).inside++;
        for (int index : node.fixed.needs()) {
            WorkflowNode needed = node(index);
            needed.later.add(node.fixed.index());
            if (!needed.state.hasEnded()) node.pending++;
            else if (needed.isBad()) node.bad++;
        }
    }

    void begin(WorkflowNode brought) {
        if (brought.state == NodeState.WAITING) decide(brought);
    }

    /** The callbacks of this one: its last steps, so that the others need not be loaded. */
    List<WorkflowNode> callbacks(WorkflowNode parent) {
        List<WorkflowNode> callbacks = new ArrayList<>();
        for (int i = parent.fixed.last(); i > parent.fixed.index(); ) {
            WorkflowNode child = node(i);
            while (child.fixed.parent() != parent.fixed.index()) child = node(child.fixed.parent());
            if (child.fixed.callback() == null) break;
            callbacks.addFirst(child);
            i = child.fixed.index() - 1;
        }
        return callbacks;
    }

    boolean hasReady() {
        return !ready.isEmpty();
    }

    List<WorkflowNode> takeReady() {
        List<WorkflowNode> taken =
                ready.stream().filter(node -> node.state == NodeState.READY).toList();
        ready.clear();
        return taken;
    }

    List<WorkflowNode> takeListening() {
        List<WorkflowNode> taken = listening.stream()
                .filter(node -> node.state == NodeState.LISTENING)
                .toList();
        listening.clear();
        return taken;
    }

    void save() {
        store.put(head.id(), nodes.values());
        store.put(head);
    }

    // ---- what can run

    /** The workflow begins. */
    void open() {
        open(root());
        settle();
    }

    private void open(WorkflowNode node) {
        if (node.fixed.isLeaf()) {
            boolean isJob = node.fixed.isJob();
            node.state = isJob ? NodeState.READY : NodeState.LISTENING;
            node.readyAt = now;
            node.tries = 0;
            (isJob ? ready : listening).add(node);
            if (!isJob) head.listening++;
            return;
        }
        node.state = NodeState.OPEN;
        if (node.fixed.forEach() != null && !node.isExpanded && !listener.expand(this, node)) return;
        List<WorkflowNode> inside = inside(node);
        for (WorkflowNode child : inside)
            if (child.fixed.callback() == null && child.state == NodeState.WAITING) decide(child);
        if (inside.isEmpty()) close(node);
    }

    /** Decides whether the step can run, or never will, now that a step that it needs has ended. */
    void decide(WorkflowNode node) {
        RunIf runIf = node.fixed.runIf();
        StepCondition condition = node.fixed.condition();
        // How the one that the condition is about has ended is what the condition says.
        int bad = condition != null && look(condition.step()).isBad() ? node.bad - 1 : node.bad;
        // mutant: failure-spreads
        if (runIf == RunIf.ALL_SUCCEEDED && bad > 0) {
            cancel(node);
            return;
        }
        // mutant: pending-needs
        if (node.pending > 0) return;
        boolean isLeftOut =
                (runIf == RunIf.ANY_FAILED && bad == 0) || (condition != null && !new StepLists(this).holds(condition));
        if (isLeftOut) leaveOut(node, NodeState.SKIPPED);
        else open(node);
    }

    // ---- what has ended

    /** A job has ended, or never will be one. {@link #settle} says what follows. */
    void end(WorkflowNode node, NodeState state) {
        if (node.state == NodeState.LISTENING) head.listening--;
        node.state = state;
        node.endedAt = now;
        count(node, 1);
        ended.add(node);
        listener.ended(this, node);
        if (!endsAll(node)) return;
        failsFast = true;
        cancelWaiting();
    }

    private boolean endsAll(WorkflowNode node) {
        return head.fixed.failFast() && node.fixed.isLeaf() && node.state == NodeState.FAILED && node.isBad();
    }

    /** Returns whether a step has just failed after which nothing else starts. */
    boolean failsFast() {
        return failsFast;
    }

    /** Returns whether nothing starts any more but callbacks. */
    boolean isStopped() {
        return head.state == WorkflowState.CANCELLED || head.timedOut || isStoppedWithout(Collections.emptySet());
    }

    /** The same because of a failure, if these had not failed. */
    boolean isStoppedWithout(Set<WorkflowNode> retried) {
        return head.fixed.failFast() && all().stream().anyMatch(node -> endsAll(node) && !retried.contains(node));
    }

    /** Takes note that the job will never start, as was asked for: that request may have been revoked meanwhile. */
    void withdrawn(WorkflowNode node) {
        if (isStopped()) end(node, NodeState.CANCELLED);
        else open(node);
    }

    /** Repeats the effects of steps that have ended before, on those that wait again. */
    void replay(List<WorkflowNode> endedBefore) {
        ended.addAll(endedBefore);
        settle();
        for (WorkflowNode node : all()) {
            boolean isTop = node.fixed.parent() < 0 || node.fixed.callback() != null;
            if (isTop || node.state != NodeState.WAITING) continue;
            if (node(node.fixed.parent()).state == NodeState.OPEN) decide(node);
        }
        settle();
    }

    /** Callbacks are none of the jobs that a workflow is said to have. */
    void count(WorkflowNode node, int by) {
        if (!node.fixed.isLeaf() || node.fixed.callback() != null) return;
        switch (node.state) {
            case COMPLETED -> head.completed += by;
            case FAILED -> head.failed += by;
            case CANCELLED -> head.cancelled += by;
            default -> {}
        }
    }

    void cancel(WorkflowNode node) {
        leaveOut(node, NodeState.CANCELLED);
    }

    /** Ends a step that never runs, and all steps inside of it. */
    private void leaveOut(WorkflowNode node, NodeState state) {
        for (int i = node.fixed.index() + 1; i <= node.fixed.last(); i++) {
            WorkflowNode inner = node(i);
            if (inner.state != NodeState.WAITING) continue;
            inner.state = state;
            inner.endedAt = now;
            count(inner, 1);
        }
        end(node, state);
    }

    /** Cancels all steps that wait, but for callbacks. Running steps go on, and callbacks follow from them. */
    void cancelWaiting() {
        for (int i = 1; i < head.nodes(); i++) {
            WorkflowNode node = node(i);
            boolean isOpen = node(node.fixed.parent()).state == NodeState.OPEN;
            if (isOpen && node.state == NodeState.WAITING && node.fixed.callback() == null) cancel(node);
        }
    }

    /** Decides until nothing follows any more. */
    void settle() {
        for (WorkflowNode node = ended.poll(); node != null; node = ended.poll()) {
            for (int index : node.dependents()) {
                WorkflowNode dependent = node(index);
                if (dependent.state != NodeState.WAITING) continue;
                dependent.pending--;
                if (node.isBad()) dependent.bad++;
                decide(dependent);
            }
            if (node.fixed.parent() >= 0) leave(node, node(node.fixed.parent()));
        }
    }

    private void leave(WorkflowNode node, WorkflowNode parent) {
        if (parent.state != NodeState.OPEN) return;
        if (node.fixed.callback() == null) {
            parent.inside--;
            if (node.isBad() && parent.insideBad++ == 0) fireFirst(parent);
        } else {
            parent.callbacks--;
            if (node.isBad()) {
                parent.callbacksBad++;
                if (head.failedCallback == null)
                    head.failedCallback = node.fixed.callback().wire();
            }
        }
        if (parent.inside > 0) return;
        if (!parent.hasFired) fire(parent);
        if (parent.callbacks == 0) close(parent);
    }

    /** A step has failed, and none had before. */
    private void fireFirst(WorkflowNode parent) {
        if (parent.callbacks == 0 || head.state == WorkflowState.CANCELLED) return;
        for (WorkflowNode callback : callbacks(parent)) {
            boolean isMeant = callback.fixed.callback() == Callback.ON_FIRST_FAILURE;
            if (!isMeant || callback.state != NodeState.WAITING) continue;
            open(callback);
            listener.fired(this, callback);
        }
    }

    /**
     * Decides about the callbacks, since all other steps have ended. Each fires at most once in the life of a workflow.
     */
    private void fire(WorkflowNode parent) {
        parent.hasFired = true;
        if (parent.callbacks == 0) return;
        for (WorkflowNode callback : callbacks(parent)) {
            // mutant: callback-once
            if (callback.state != NodeState.WAITING) continue;
            boolean runs = switch (callback.fixed.runIf()) {
                case ALL_DONE -> true;
                case ALL_SUCCEEDED -> parent.insideBad == 0;
                case ANY_FAILED -> parent.insideBad > 0;
            };
            if (head.state == WorkflowState.CANCELLED) {
                end(callback, NodeState.CANCELLED);
            } else if (runs) {
                open(callback);
                listener.fired(this, callback);
            } else {
                end(callback, NodeState.SKIPPED);
            }
        }
    }

    /**
     * Returns the outcome of a workflow in which all steps have ended: callbacks are there to deal with jobs that fail.
     */
    private NodeState outcome(WorkflowNode parent) {
        boolean isBatch = !callbacks(parent).isEmpty();
        // mutant: batch-completes
        boolean isBad = parent.callbacksBad > 0 || (parent.insideBad > 0 && !isBatch);
        return isBad ? NodeState.FAILED : NodeState.COMPLETED;
    }

    private void close(WorkflowNode parent) {
        NodeState state = outcome(parent);
        if (parent.fixed.parent() >= 0) {
            end(parent, state);
            return;
        }
        parent.state = state;
        parent.endedAt = now;
        if (head.state.hasEnded()) return;
        head.state = state == NodeState.FAILED || head.timedOut ? WorkflowState.FAILED : WorkflowState.COMPLETED;
        head.endedAt = now;
        listener.ended(this);
    }

    /** The job of a step that is under way; null if it is not of this run. */
    @Nullable
    WorkflowNode underWay(int index, int run, JobId job) {
        WorkflowNode node = node(index);
        // mutant: run-number
        return node.run == run && job.equals(node.job) ? node : null;
    }
}
