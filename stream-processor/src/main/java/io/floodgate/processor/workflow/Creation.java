package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Moment;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkflowCommand.CreateWorkflow;
import io.floodgate.topics.command.WorkflowCommand.FirstJobsStored;
import io.floodgate.topics.command.WorkflowCommand.GetWorkflow;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.workflow.UnreadableWorkflow;
import io.floodgate.topics.workflow.WorkflowId;
import io.floodgate.topics.workflow.WorkflowPlan;
import io.floodgate.topics.workflow.WorkflowReader;
import io.floodgate.topics.workflow.WorkflowStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates workflows, whole or not at all: the jobs that begin one are stored as a batch, wherever their queues are, and
 * the workflow is stored in the step that decides about the batch. The first jobs of a large workflow only need
 * capacity at that time: they follow in slices.
 */
final class Creation {
    /** Most workflows of a partition that have not ended. */
    static final int MOST_RUNNING = 100_000;

    /**
     * Most of them that belong to callers that are confined to the same queues and tenant, so that some are left for
     * others.
     */
    static final int MAX_OWNED = MOST_RUNNING / 10;

    private final Workflows workflows;
    private final WorkflowStore store;
    private final Uploads uploads;
    private final StepJobs jobs;
    private final StepOutcomes outcomes;
    private final Routing routing;
    private final Effects out;

    /**
     * The definition that was read last, and its plan, which depends on nothing else: most are read twice in one step.
     */
    private byte[] read = {};

    private @Nullable WorkflowPlan plan;

    Creation(
            Workflows workflows,
            WorkflowStore store,
            Uploads uploads,
            StepJobs jobs,
            StepOutcomes outcomes,
            PartitionContext context) {
        this.uploads = uploads;
        this.workflows = workflows;
        this.store = store;
        this.jobs = jobs;
        this.outcomes = outcomes;
        routing = context.routing();
        out = context.out();
    }

    /** One whose first jobs are being stored. */
    private record Pending(
            Instant at,
            @Nullable ReplyTo sender,
            @Nullable Identity by,
            byte[] workflow,
            @Nullable Long upload) {
        static final StoredForm<Pending> STORED = new StoredForm<>(Pending.class, 1, "a workflow that comes");
    }

    void create(CreateWorkflow command) {
        WorkflowPlan plan;
        try {
            plan = read(command.workflow());
        } catch (UnreadableWorkflow unreadable) {
            out.reject(unreadable.rejection());
            return;
        }
        WorkflowId given = plan.id();
        PartitionId home = given == null ? routing.ofQueue(plan.firstQueue()) : routing.ofJob(given.key());
        if (!home.equals(out.log())) {
            out.pass(home, given == null ? plan.firstQueue() : given.key().toString(), command);
            return;
        }
        JobId id = given == null ? makeId(plan.firstQueue(), out.moment()) : given.key();
        Long upload = command.upload();
        Rejection rejection = given == null ? rejectTooMany() : reject(given);
        if (rejection == null && upload != null) rejection = uploads.reject(upload, plan);
        if (rejection != null) {
            if (upload != null) uploads.drop(upload);
            out.reject(rejection);
            return;
        }
        Pending pending = new Pending(out.now(), out.takeReplyTo(), out.by(), command.workflow(), upload);
        StepFlow flow = open(plan, id, pending);
        boolean hasJobs = flow.hasReady();
        Command first;
        if (upload == null) {
            first = new EnqueueBatch(first(plan, flow), true, command.maxWait());
        } else {
            uploads.take(upload);
            first = new HoldRoom(demands(flow, plan.tenant()), command.maxWait());
        }
        store.putNew(id, Pending.STORED.write(pending));
        if (hasJobs) out.again(first, ReplyTo.ofWorkflow(id));
        else end(new FirstJobsStored(id, null, null));
    }

    private WorkflowPlan read(byte[] workflow) throws UnreadableWorkflow {
        WorkflowPlan known = plan;
        if (known != null && Arrays.equals(read, workflow)) return known;
        WorkflowPlan now = WorkflowReader.read(workflow);
        read = workflow;
        plan = now;
        return now;
    }

    private void forgetRead() {
        read = new byte[0];
        plan = null;
    }

    /** The same whenever the record is executed. */
    private static JobId makeId(String queue, Moment at) {
        return OwnJobs.makeId(queue, at.time(), OwnJobs.mix("workflow %d/%d".formatted(at.offset(), at.part())));
    }

    private @Nullable Rejection reject(WorkflowId id) {
        if (store.head(id.key()) != null || store.isNew(id.key()))
            return Rejection.of(ErrorCode.DUPLICATE, "There is a workflow '%s' already.".formatted(id))
                    .with("existing_workflow_id", id.text());
        return rejectTooMany();
    }

    private @Nullable Rejection rejectTooMany() {
        String space = Identity.spaceOf(out.by());
        if (space != null && store.running(space) >= MAX_OWNED)
            return tooMany(
                    "%d workflows of keys with the same queues and tenant as yours have not ended in this partition, which is their share. Wait until some have ended.",
                    MAX_OWNED);
        if (store.running() < MOST_RUNNING) return null;
        return tooMany("%d workflows of this partition have not ended; no other one comes in.", MOST_RUNNING);
    }

    private static Rejection tooMany(String message, int most) {
        return Rejection.of(ErrorCode.TOO_MANY_WORKFLOWS, message.formatted(most))
                .with("max_workflows", most)
                .with("retry_after_seconds", 5);
    }

    private StepFlow open(WorkflowPlan plan, JobId id, Pending pending) {
        WorkflowId given = plan.id();
        WorkflowId named = given == null ? WorkflowId.of(id) : given;
        Head head = new Head(Head.Fixed.of(plan, named, pending.at, pending.by), plan.queues());
        head.upload = pending.upload;
        StepFlow flow = new StepFlow(head, WorkflowNode.of(plan), store, pending.at, outcomes);
        flow.open();
        return flow;
    }

    /** The jobs that come with it. */
    private List<byte[]> first(WorkflowPlan plan, StepFlow flow) {
        StepResults results = new StepResults(flow);
        List<byte[]> first = new ArrayList<>();
        for (WorkflowNode node : flow.takeReady()) {
            Envelope job = plan.steps().get(node.fixed.index()).job();
            if (job == null) throw new IllegalStateException("a step without a job is ready");
            first.add(jobs.first(flow, node, job.toJson(), results.givenTo(node)));
        }
        return first;
    }

    /** Returns the demand of the first jobs in each queue. */
    private List<QueueDemand> demands(StepFlow flow, String tenant) {
        Map<String, QueueDemand> demands = new TreeMap<>();
        for (WorkflowNode node : flow.takeReady()) {
            String queue = node.fixed.queue();
            QueueDemand before = demands.getOrDefault(queue, new QueueDemand(queue, 0, 0, "", Collections.emptyMap()));
            long bytes = before.bytes() + store.job(flow.head, node.fixed.index()).length;
            long count = before.jobs() + 1;
            demands.put(
                    queue,
                    new QueueDemand(queue, count, bytes, node.fixed.type(), Collections.singletonMap(tenant, count)));
        }
        return List.copyOf(demands.values());
    }

    /** Ends the creation: the first jobs are stored, or nothing is. */
    void end(FirstJobsStored message) {
        JobId id = message.workflow();
        byte[] stored = store.takeNew(id);
        if (stored == null) return;
        Pending pending = Pending.STORED.read(stored);
        Rejection rejection = message.rejection();
        if (rejection != null) {
            dropUpload(pending);
            answer(pending.sender, new Reply.Rejected(rejection.shortened()));
            return;
        }
        WorkflowPlan plan;
        try {
            plan = read(pending.workflow);
        } catch (UnreadableWorkflow unreadable) {
            throw new IllegalStateException("a workflow that could be read before", unreadable);
        }
        forgetRead();
        StepFlow flow = open(plan, id, pending);
        if (pending.upload == null) areStored(plan, flow);
        else begin(flow, message.room());
        workflows.beginWaits(flow);
        flow.save();
        store.addRunning(flow.head, 1);
        store.progress(flow.head, out.now());
        Instant deadline = flow.head.deadline;
        if (deadline != null) workflows.wake(id.toString(), deadline);
        out.as(pending.by, () -> outcomes.events().created(flow.head));
        answer(pending.sender, new Reply.Done(WorkflowViews.lines(flow, 1, GetWorkflow.MAX_LIMIT, false)));
    }

    /** The jobs that are there have been begun in the same way, so their ids are these. */
    private void areStored(WorkflowPlan plan, StepFlow flow) {
        for (WorkflowNode node : flow.takeReady()) {
            jobs.begin(flow, node);
            node.state = NodeState.PLACED;
            node.placedAt = out.now();
        }
        for (WorkflowStep step : plan.steps())
            if (step.job() != null)
                store.putJob(flow.head.id(), step.index(), step.job().toJson());
    }

    /**
     * Begins a large workflow, since there is capacity for its first jobs: they follow in slices, as those of any
     * fan-out do.
     */
    private void begin(StepFlow flow, @Nullable Long room) {
        flow.takeReady();
        workflows.placeLater(flow);
        if (room != null) out.again(new EndHold(List.of(room), false), null);
    }

    private void dropUpload(Pending pending) {
        Long upload = pending.upload;
        if (upload == null) return;
        try {
            uploads.drop(upload, read(pending.workflow).steps().size());
        } catch (UnreadableWorkflow unreadable) {
            throw new IllegalStateException("a workflow that could be read before", unreadable);
        }
    }

    private void answer(@Nullable ReplyTo sender, Reply reply) {
        if (sender != null) out.replyTo(sender, reply);
    }
}
