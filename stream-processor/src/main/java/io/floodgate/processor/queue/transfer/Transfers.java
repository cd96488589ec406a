package io.floodgate.processor.queue.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobChange;
import io.floodgate.processor.queue.state.JobChange.DeadLettered;
import io.floodgate.processor.queue.state.JobChange.Leaving;
import io.floodgate.processor.queue.state.JobChange.MovedAway;
import io.floodgate.processor.queue.state.JobChange.Retaken;
import io.floodgate.processor.queue.state.JobChange.Stayed;
import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.OrderPlace;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.DeadLetterMove;
import io.floodgate.topics.command.Message.HasCome;
import io.floodgate.topics.command.Message.Readdress;
import io.floodgate.topics.command.Message.Transfer;
import io.floodgate.topics.command.Message.Transferred;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.TenantId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Single jobs that go to another queue, in this partition or another one. A job stays where it is, and as it is, until the other
 * queue has taken it, or has said that it does not: so it is in one of them at any time, and in no other state than it was.
 */
public final class Transfers implements Entity {
    private static final String VERIFY = "verify-transfers";
    private static final int SLICE = 200;

    private final KeyValues entities;
    private final Routing routing;
    private final Queues queues;
    private final Jobs jobs;
    private final ReservedJobs reserved;
    private final Bounds bounds;
    private final TenantCounting tenants;
    private final Work work;
    private final Effects out;

    public Transfers(
            Queues queues,
            Jobs jobs,
            ReservedJobs reserved,
            Bounds bounds,
            TenantCounting tenants,
            PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.jobs = jobs;
        this.reserved = reserved;
        this.bounds = bounds;
        this.tenants = tenants;
        this.work = context.work();
        this.out = context.out();
        context.work().register(VERIFY, this::verifySlice);
    }

    /**
     * Sends the job; who waits is answered by the other queue.
     *
     * @param as it is to arrive there: the job itself, or a copy with changes
     */
    public void send(
            JobRecord job, JobRecord as, byte[] payload, String queue, @Nullable DeadLetterMove deadLetterMove) {
        Transfer message = new Transfer(
                out.log(),
                job.queue,
                queue,
                job.id,
                JobCodec.write(as),
                payload,
                jobs.payloads().past(job),
                deadLetterMove,
                tenants.grant(job));
        jobs.apply(new Leaving(queue), job);
        entities.put(Keys.leaving(job.id), queue.getBytes(UTF_8));
        if (deadLetterMove == null) out.pass(routing.ofQueue(queue), queue, message);
        else out.tell(routing.ofQueue(queue), queue, message);
    }

    /** Takes a job from another queue. The lines that show it are for the caller that asked for the move. */
    @Nullable
    public JobRecord take(Transfer message) {
        out.about(Quarantine.JOB, message.job());
        JobRecord here = jobs.findReserved(message.job());
        boolean isOurs = here != null && message.queue().equals(here.movingTo);
        JobRecord job = arriving(message);
        Bounds.Room room = here != null && !isOurs && !here.reserved
                ? Bounds.Room.unless(
                        Rejection.of(ErrorCode.DUPLICATE, "A job with the id '%s' is here.".formatted(job.id)))
                : room(job, message);
        if (bounds.park(room, message)) return null;
        Rejection rejection = room.rejection();
        if (rejection == null) {
            if (isOurs && here != null) leave(here);
            else reserved.drop(job.id);
            queues.use(message.queue());
            job.rank = queues.of(job).nextRank();
            if (!isOurs) tenants.arrives(job, message.payload(), message.grant());
            jobs.add(job, message.payload(), message.past());
            jobs.apply(arrival(job, message), job);
        } else if (out.replyTo() != null) {
            out.reject(rejection);
        }
        if (rejection != null || !message.source().equals(out.log()))
            out.tell(message.source(), message.from(), new Transferred(job.id, job.queue, rejection, message.grant()));
        return rejection == null ? job : null;
    }

    private JobRecord arriving(Transfer message) {
        JobRecord job = JobCodec.read(message.job(), message.state());
        job.queue = message.queue();
        job.order = OrderPlace.in(job.queue, message.payload(), job.order);
        job.hops++;
        job.registered = !routing.ofJob(job.id).equals(out.log());
        job.tenant = queues.imagine(job.queue).countsTenants() ? TenantId.of(message.payload()) : null;
        return job;
    }

    private Bounds.Room room(JobRecord job, Transfer message) {
        Queue queue = queues.imagine(message.queue());
        Rejection rejection = bounds.reject(job.type, queue);
        DeadLetterMove deadLetterMove = message.deadLetterMove();
        Long most = deadLetterMove == null ? null : deadLetterMove.maxDeadLetters();
        if (rejection == null && most != null && queue.counts.depth() >= most)
            rejection = Rejection.of(
                            ErrorCode.QUEUE_FULL,
                            "Queue '%s' has %d jobs, and takes dead letters of queue '%s' up to %d only."
                                    .formatted(queue.name, queue.counts.depth(), message.from(), most))
                    .with("queue", queue.name)
                    .with("dead_letter_max_size", most);
        boolean hasGrant = !TenantCounting.isWithout(message.grant());
        // mutant: dead-letter-bound
        return rejection == null ? bounds.makeRoomFor(job, queue, hasGrant) : Bounds.Room.unless(rejection);
    }

    private JobChange arrival(JobRecord job, Transfer message) {
        DeadLetterMove deadLetterMove = message.deadLetterMove();
        if (deadLetterMove == null) return new Retaken(job.expiresAt);
        return new DeadLettered(new JobRecord.DeadLetterInfo(
                message.from(), out.now(), deadLetterMove.reason(), out.now().plus(deadLetterMove.ttl())));
    }

    /** Takes the answer about a job that was sent. */
    public void end(Transferred message) {
        JobRecord job = jobs.find(message.job());
        if (job == null || !message.queue().equals(job.movingTo)) return;
        out.about(Quarantine.JOB, job.id);
        Rejection rejection = message.rejection();
        if (rejection == null) {
            tenants.leaves(job, message.grant());
            leave(job);
            readdress(job.id, message.queue(), job.hops + 1);
            return;
        }
        entities.delete(Keys.leaving(job.id));
        // A dead letter stays one, and an event says so to operators; the caller of a retry has its answer already.
        jobs.apply(new Stayed(message.queue(), job.isLive() || job.deadLetterInfo != null ? null : rejection), job);
        if (!job.isLive()) jobs.noteEnd(job);
    }

    private void leave(JobRecord job) {
        entities.delete(Keys.leaving(job.id));
        jobs.apply(new MovedAway(), job);
    }

    /** Addresses the job to its new queue, here first: commands about it are passed on from now on. */
    private void readdress(JobId job, String queue, int hops) {
        Readdress message = new Readdress(out.log(), job, queue, hops);
        out.tell(out.log(), queue, message);
        PartitionId home = routing.ofJob(job);
        if (!home.equals(out.log())) out.tell(home, queue, message);
    }

    // ---- after messages were lost

    /** Messages between this partition and that one were lost: jobs on their way there may be unaccounted for. */
    public void verify(PartitionId other) {
        work.begin(VERIFY, other.toString(), null);
    }

    private byte @Nullable [] verifySlice(Work.Piece piece) {
        PartitionId other = PartitionId.parse(piece.subject());
        byte[] from = piece.cursor().length == 0 ? Keys.allLeaving() : piece.cursor();
        List<byte[]> seen = new ArrayList<>();
        entities.scan(from, Keys.after(Keys.allLeaving()), (key, value) -> {
            String queue = new String(value, UTF_8);
            if (routing.ofQueue(queue).equals(other))
                out.tell(other, queue, new HasCome(out.log(), Keys.jobAtEnd(key), queue));
            seen.add(key);
            return seen.size() < SLICE;
        });
        return seen.size() < SLICE ? null : Work.after(seen.getLast());
    }

    public void tell(HasCome message) {
        Rejection rejection = jobs.knows(message.job())
                ? null
                : Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, "What was said of the job was lost.");
        out.tell(
                message.source(),
                message.queue(),
                new Transferred(message.job(), message.queue(), rejection, TenantCounting.UNKNOWN));
    }

    @Override
    public boolean clear(int most) {
        return entities.deleteSome(Keys.allLeaving(), most);
    }
}
