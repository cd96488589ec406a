package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.Payloads;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Ending.Move;
import io.floodgate.processor.queue.state.JobChange.MovedAway;
import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.Past;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.ExpectJobs;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.MoveMessage.MoveJobs;
import io.floodgate.topics.command.MoveMessage.MovedJob;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs that leave a queue for another one: each is here until the step that sends it, and there as its message is executed. */
public final class OutgoingMoves implements Entity {
    /** A message stops growing here. */
    private static final int FULL_BYTES = 512 * 1024;

    private final Jobs jobs;
    private final Payloads payloads;
    private final TenantCounting tenants;
    private final Routing routing;
    private final Effects out;
    private final List<Leaving> leaving = new ArrayList<>();
    private long bytes;

    /** @param hops how often it will have gone to another queue */
    private record Leaving(MovedJob moved, int hops) {}

    public OutgoingMoves(Jobs jobs, Payloads payloads, TenantCounting tenants, Routing routing, Effects out) {
        this.jobs = jobs;
        this.payloads = payloads;
        this.tenants = tenants;
        this.routing = routing;
        this.out = out;
    }

    /** Asks the target whether it has capacity for all unfinished jobs of the queue. */
    public void ask(Queue queue, Move move) {
        ask(queue, move, null);
    }

    /** @param counts which the target has asked for */
    void ask(Queue queue, Move move, @Nullable JobCounts counts) {
        tell(
                move,
                new ExpectJobs(
                        out.log(),
                        move.number(),
                        queue.name,
                        move.target(),
                        queue.counts.depth(),
                        queue.counts.bytes(),
                        counts));
    }

    private void tell(Move move, io.floodgate.topics.command.Message message) {
        out.tell(routing.ofQueue(move.target()), move.target(), message);
    }

    public boolean isFull() {
        return bytes >= FULL_BYTES;
    }

    /** The job is not here any more. It travels with the next message. */
    public void leave(JobRecord job, Move move) {
        boolean isFar = !routing.ofQueue(move.target()).equals(out.log());
        Long grant = isFar ? tenants.grant(job) : null;
        tenants.leaves(job, grant);
        byte[] payload = payloads.payload(job);
        Past past = payloads.past(job);
        leaving.add(new Leaving(new MovedJob(job.id, JobCodec.write(job), payload, past, grant), job.hops + 1));
        bytes += payload.length + past.bytes();
        jobs.apply(new MovedAway(), job);
    }

    /** Sends jobs that have left, and informs the directories of their ids. */
    public void send(Queue queue, Move move) {
        if (leaving.isEmpty()) return;
        List<MovedJob> moved = leaving.stream().map(Leaving::moved).toList();
        tell(move, new MoveJobs(out.log(), move.number(), queue.name, move.target(), moved));
        if (!routing.ofQueue(move.target()).equals(out.log())) leaving.forEach(job -> readdress(job, move));
        forget();
    }

    /** Whatever comes here for the job from now on is passed on, until the partition that its id names knows where it is. */
    private void readdress(Leaving job, Move move) {
        JobId id = job.moved.job();
        Readdress message = new Readdress(out.log(), id, move.target(), job.hops);
        // mutant: readdressed
        out.tell(out.log(), id.toString(), message);
        PartitionId home = routing.ofJob(id);
        if (!home.equals(out.log())) out.tell(home, id.toString(), message);
    }

    /** Ends the move, since no job is left that could go. */
    public void end(Move move) {
        tell(move, new EndMove(out.log(), move.number()));
    }

    @Override
    public void rollBack() {
        forget();
    }

    private void forget() {
        leaving.clear();
        bytes = 0;
    }
}
