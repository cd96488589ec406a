package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.own.OwnJobs;
import io.floodgate.processor.own.OwnerKind;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.OwnJobMessage.JobOwner;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.job.OwnEnvelope;
import io.floodgate.topics.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** Makes steps into jobs. */
final class StepJobs {
    private final OwnerKind kind;
    private final OwnJobs jobs;
    private final Routing routing;
    private final Effects out;

    StepJobs(OwnerKind kind, OwnJobs jobs, PartitionContext context) {
        this.kind = kind;
        this.jobs = jobs;
        routing = context.routing();
        out = context.out();
    }

    /** The ticket by which the owner of a job names the step, and its run. */
    record Ticket(int node, int run) {
        static Ticket parse(String text) {
            String[] parts = text.split("/", 3);
            return new Ticket(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }

        /** Returns the ticket with the name of the step, which events of its jobs show. */
        String write(String path) {
            return node + "/" + run + "/" + path;
        }
    }

    private JobOwner owner(StepFlow flow, WorkflowNode node) {
        Ticket ticket = new Ticket(node.fixed.index(), node.run);
        return jobs.owner(kind, flow.head.shownId(), ticket.write(StepPath.of(flow, node)), true);
    }

    /** Prepares a step whose job is about to come. */
    void begin(StepFlow flow, WorkflowNode node) {
        node.run++;
        node.heard = 0;
        node.attempt = 0;
        node.placedAt = null;
        node.startedAt = null;
        node.state = NodeState.PLACING;
        String name = WorkflowStore.name(flow.head.id(), node.fixed.index()) + "/" + node.run;
        node.job = OwnJobs.makeId(node.fixed.queue(), flow.now, OwnJobs.mix(name));
    }

    /** Sends it to its queue, in the name of who has made the workflow. */
    void place(StepFlow flow, WorkflowNode node, byte[] given) {
        begin(flow, node);
        JobId job = job(node);
        JobOwner owner = owner(flow, node);
        byte[] json = json(flow, node, flow.store.job(flow.head, node.fixed.index()), given, null);
        JobId after = node.after;
        PlaceOwn message = after == null
                ? PlaceOwn.orWait(owner, job, json, PlaceOwn.FOREVER)
                : PlaceOwn.inRoomOf(after, owner, job, json, PlaceOwn.FOREVER);
        node.after = null;
        out.as(flow.head.fixed.by(), () -> jobs.place(node.fixed.queue(), message));
    }

    /** One of the jobs that come together with their workflow. */
    byte[] first(StepFlow flow, WorkflowNode node, byte[] job, byte[] given) {
        begin(flow, node);
        return json(flow, node, job, given, owner(flow, node));
    }

    private static byte[] json(StepFlow flow, WorkflowNode node, byte[] job, byte[] given, @Nullable JobOwner owner) {
        JsonOut json = JsonOut.object(job.length + given.length + 256)
                .field("id", job(node).toString())
                .members(job)
                .fieldRaw("parent_results", given)
                .field("workflow_id", flow.head.shownId())
                .field("workflow_step", StepPath.of(flow, node));
        if (owner != null)
            json.beginObject(OwnEnvelope.OWNER)
                    .field("kind", owner.kind())
                    .field("home", owner.home().toString())
                    .field("name", owner.name())
                    .field("ticket", owner.ticket())
                    .endObject();
        return json.endObject().toBytes();
    }

    private static JobId job(WorkflowNode node) {
        JobId job = node.job;
        if (job == null) throw new IllegalStateException("a step without a job");
        return job;
    }

    /** Asks for the state of the step's job, if it is in that partition. */
    void ask(StepFlow flow, WorkflowNode node, PartitionId log) {
        JobId job = job(node);
        if (routing.ofJob(job).equals(log)) jobs.ask(owner(flow, node), job);
    }

    /** Asks that the job does not start; {@link OwnerKind} gets a message if it has before. */
    void cancel(StepFlow flow, WorkflowNode node, boolean activeToo) {
        if (activeToo) jobs.cancel(owner(flow, node), job(node), null);
        else jobs.cancelUnlessStarted(owner(flow, node), job(node));
    }
}
