package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.own.OwnerKind;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.workflow.StepJobs.Ticket;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.OwnJobMessage.OwnerNote;
import io.floodgate.topics.command.OwnJobMessage.PlacedOwn;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SignalCommand.Signalled;
import io.floodgate.topics.command.WorkflowCommand.AddJobs;
import io.floodgate.topics.command.WorkflowCommand.CancelWorkflow;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.command.WorkflowCommand.ListWorkflows;
import io.floodgate.topics.command.WorkflowCommand.RetryWorkflow;
import io.floodgate.topics.command.WorkflowCommand.UploadJobs;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.workflow.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workflows of this partition. All that follows from the end of a step is decided here, in the step of the
 * partition that gets the message.
 */
public final class Workflows implements Entity, OwnerKind {
    static final String NAME = "workflow";

    private static final String FAN_OUT = "workflow-fan-out";

    /** Jobs that are placed in one step; the rest follows with the next ticks. */
    private static final int MOST_AT_ONCE = 100;

    /** Steps that are looked at for that. */
    private static final int MAX_VISITED = 1_000;

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration RAREST_RETRY = Duration.ofMinutes(1);

    private final WorkflowStore store;
    private final StepJobs jobs;
    private final StepOutcomes outcomes;
    private final Uploads uploads;
    private final Creation creation;
    private final StepWaits waits;
    private final WorkflowCancellation cancellation;
    private final Retrying retrying;
    private final WorkflowViews views;
    private final Endings endings;
    private final Timers timers;
    private final Work work;
    private final Effects out;

    public Workflows(OwnJobs own, PartitionContext context) {
        store = new WorkflowStore(context.entities(), context.undo());
        jobs = new StepJobs(this, own, context);
        endings = new Endings(store, context);
        timers = context.timers();
        work = context.work();
        out = context.out();
        outcomes = new StepOutcomes(store, endings, new WorkflowEvents(out), out);
        uploads = new Uploads(this, store, context);
        creation = new Creation(this, store, uploads, jobs, outcomes, context);
        waits = new StepWaits(this, outcomes, context);
        cancellation = new WorkflowCancellation(this, store, jobs, waits, outcomes, out);
        retrying = new Retrying(this, store, outcomes, endings, out);
        views = new WorkflowViews(this, store, out);
        own.add(this);
        work.register(FAN_OUT, this::placeSome);
    }

    @Override
    public String kind() {
        return NAME;
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(CreateWorkflow.class, creation::create);
        handlers.on(UploadJobs.class, uploads::add);
        handlers.on(FirstJobsStored.class, creation::end);
        handlers.on(GetWorkflow.class, views::show);
        handlers.on(ListWorkflows.class, views::list);
        handlers.on(CancelWorkflow.class, cancellation::cancel);
        handlers.on(RetryWorkflow.class, retrying::retry);
        handlers.on(Signalled.class, waits::signalled);
        handlers.on(AddJobs.class, new Additions(this, store, outcomes.events(), out)::add);
    }

    @Override
    public void load() {
        store.load();
        store.timers((name, at) -> timers.set(Timer.of(NAME, at, name)));
    }

    /** Returns the number of workflows that have not ended. */
    public long running() {
        return store.running();
    }

    /** Writes the workflows that an operator should look at. */
    public void writeTroubled(JsonOut json) {
        views.writeTroubled(json);
    }

    /** Steps that have not ended, by why. */
    public Map<StepReason, Long> unfinishedSteps() {
        return store.unfinishedSteps();
    }

    // ---- what follows

    @Nullable
    StepFlow flow(JobId id) {
        Head head = store.head(id);
        return head == null ? null : new StepFlow(head, store, out.now(), outcomes);
    }

    /** The workflow, if the sender of the command may see it; otherwise the command is rejected. */
    @Nullable
    StepFlow visible(JobId id) {
        StepFlow flow = flow(id);
        if (flow != null && !WorkflowViews.isHidden(flow.head, out.by())) return flow;
        out.reject(Rejection.notFound("workflow", id.toString()));
        return null;
    }

    /**
     * Places what can run now, and stores what has changed.
     *
     * @param ended the job whose capacity is free, if one has just ended here
     */
    void goOn(StepFlow flow, @Nullable JobId ended, String queue) {
        if (flow.failsFast()) cancellation.stop(flow);
        List<WorkflowNode> ready = flow.takeReady();
        for (WorkflowNode node : ready) {
            if (ended == null || !node.fixed.queue().equals(queue)) continue;
            // mutant: room-handed-on
            node.after = ended;
            break;
        }
        place(flow, ready);
        waits.begin(flow);
        flow.save();
    }

    /** Steps that wait for signals begin with their workflow. */
    void beginWaits(StepFlow flow) {
        waits.begin(flow);
    }

    private void place(StepFlow flow, List<WorkflowNode> ready) {
        StepResults results = new StepResults(flow);
        for (WorkflowNode node : ready.subList(0, Math.min(MOST_AT_ONCE, ready.size())))
            jobs.place(flow, node, results.givenTo(node));
        if (ready.size() > MOST_AT_ONCE) placeLater(flow);
    }

    /** Places what can run with the next ticks. */
    void placeLater(StepFlow flow) {
        String id = flow.head.id().toString();
        if (!work.has(FAN_OUT, id)) work.begin(FAN_OUT, id, null);
    }

    /** Passes over all steps, until one pass has found none that can run: others may become ready behind it. */
    private byte @Nullable [] placeSome(Work.Piece piece) {
        StepFlow flow = flow(piece.subject());
        if (flow == null) return null;
        BinaryIn cursor = piece.cursor().length == 0 ? null : new BinaryIn(piece.cursor());
        int first = cursor == null ? 1 : cursor.integer();
        boolean hasFound = cursor != null && cursor.flag();
        int size = flow.head.nodes();
        int next = first;
        List<WorkflowNode> some = new ArrayList<>();
        while (next < size && next < first + MAX_VISITED && some.size() < MOST_AT_ONCE) {
            WorkflowNode node = flow.node(next++);
            if (node.state == NodeState.READY && node.tries == 0) some.add(node);
        }
        StepResults results = new StepResults(flow);
        for (WorkflowNode node : some) jobs.place(flow, node, results.givenTo(node));
        flow.save();
        hasFound |= !some.isEmpty();
        if (next < size) return cursor(next, hasFound);
        return hasFound ? cursor(1, false) : null;
    }

    private static byte[] cursor(int next, boolean hasFound) {
        return new BinaryOut().number(next).flag(hasFound).toBytes();
    }

    // ---- notes about jobs

    @Nullable
    StepFlow flow(String name) {
        return WorkflowId.parse(name).map(id -> flow(id.key())).orElse(null);
    }

    @Override
    public void placed(PlacedOwn answer) {
        StepFlow flow = flow(answer.owner().name());
        Ticket ticket = Ticket.parse(answer.owner().ticket());
        WorkflowNode node = flow == null ? null : flow.underWay(ticket.node(), ticket.run(), answer.job());
        if (flow == null || node == null || node.state.hasEnded()) return;
        Rejection rejection = answer.rejection();
        if (rejection == null) {
            node.state = answer.waits() ? NodeState.IN_LINE : NodeState.PLACED;
            node.tries = 0;
            if (!answer.waits()) node.placedAt = answer.at();
        } else if (node.isUnconfirmed) {
            flow.withdrawn(node);
        } else if (rejection.code().retryable()) {
            putOff(flow, node);
        } else {
            outcomes.fail(flow, node, rejection.code().wire(), rejection.message());
        }
        flow.settle();
        if (rejection != null) cancellation.confirm(flow, node);
        goOn(flow, null, "");
    }

    /** Tries again after a while, since the queue cannot even keep the job in its wait queue. */
    private void putOff(StepFlow flow, WorkflowNode node) {
        Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(node.tries, 6));
        node.tries++;
        node.state = NodeState.READY;
        wake(
                WorkflowStore.name(flow.head.id(), node.fixed.index()),
                out.now().plus(pause.compareTo(RAREST_RETRY) > 0 ? RAREST_RETRY : pause));
    }

    @Override
    public void told(OwnerNote note) {
        StepFlow flow = flow(note.owner().name());
        Ticket ticket = Ticket.parse(note.owner().ticket());
        WorkflowNode node = flow == null ? null : flow.underWay(ticket.node(), ticket.run(), note.job());
        if (flow == null || node == null) return;
        if (!note.isOver()) {
            stands(flow, node, note);
            return;
        }
        // mutant: note-twice
        if (note.number() <= node.heard) return;
        node.heard = note.gone() ? node.heard : note.number();
        boolean isMended = note.state() == JobState.COMPLETED && !note.gone() && retrying.goesOn(flow, node);
        if (node.state.hasEnded() && !isMended) {
            flow.save();
            return;
        }
        node.attempt = note.attempt();
        node.startedAt = note.startedAt();
        outcomes.end(flow, node, note);
        flow.settle();
        cancellation.confirm(flow, node);
        goOn(flow, note.job(), node.fixed.queue());
    }

    /** Takes note that the job has not ended, or is to run again after that. */
    private void stands(StepFlow flow, WorkflowNode node, OwnerNote note) {
        if (node.state.hasEnded() && note.number() > node.heard) {
            node.heard = note.number();
            retrying.goesOn(flow, node);
            flow.settle();
            goOn(flow, null, "");
            return;
        }
        if (note.state() == JobState.ACTIVE) cancellation.confirm(flow, node);
        flow.save();
    }

    /** Messages of that partition may be lost: whatever is believed to be there is asked for. */
    @Override
    public void verify(PartitionId other) {
        store.scanBack(null, head -> {
            if (head.state.hasEnded() && head.unconfirmed == 0) return true;
            StepFlow flow = new StepFlow(head, store, out.now(), outcomes);
            store.scan(head.id(), 0, node -> {
                if (node.job != null && node.state.isUnderWay()) jobs.ask(flow, node, other);
                waits.ask(flow, node, other);
                return true;
            });
            return true;
        });
    }

    // ---- time

    /** A timer that is stored. */
    void wake(String name, Instant at) {
        stopWaking(name);
        store.setTimer(name, at);
        timers.set(Timer.of(NAME, at, name));
    }

    void stopWaking(String name) {
        Instant before = store.timer(name);
        if (before == null) return;
        timers.cancel(Timer.of(NAME, before, name));
        store.deleteTimer(name);
    }

    @Override
    public boolean fire(Timer timer) {
        String name = timer.nameFor(NAME);
        if (name == null) return false;
        if (name.startsWith(Uploads.TIMER)) {
            uploads.expire(name);
            return true;
        }
        store.deleteTimer(name);
        int slash = name.indexOf('/');
        StepFlow flow = flow(slash < 0 ? name : name.substring(0, slash));
        if (flow == null) return true;
        if (slash < 0) cancellation.timeOut(flow);
        else if (name.endsWith(WorkflowCancellation.ANSWER)) cancellation.answerNow(flow);
        else wake(flow, flow.node(Integer.parseInt(name.substring(slash + 1))));
        return true;
    }

    private void wake(StepFlow flow, WorkflowNode node) {
        if (node.state == NodeState.LISTENING) waits.timeOut(flow, node);
        if (node.state != NodeState.READY) return;
        jobs.place(flow, node, new StepResults(flow).givenTo(node));
        flow.save();
    }

    @Override
    public boolean clear(int most) {
        store.timers((name, at) -> timers.cancel(Timer.of(NAME, at, name)));
        work.end(FAN_OUT);
        uploads.clear();
        return endings.clear(most) && store.clear(most);
    }
}
