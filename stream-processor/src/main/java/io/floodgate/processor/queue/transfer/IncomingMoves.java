package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.queue.bound.AdmissionChecks;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.Counts;
import io.floodgate.processor.queue.state.JobChange.Arrived;
import io.floodgate.processor.queue.state.JobCodec;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.EndMove;
import io.floodgate.topics.command.Message.ExpectJobs;
import io.floodgate.topics.command.Message.Expected;
import io.floodgate.topics.command.Message.MoveJobs;
import io.floodgate.topics.command.Message.MovedJob;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queues that get the jobs of one that is deleted. Room for all of them is kept before the first one comes, so that none can
 * be turned away, and no bound is exceeded.
 */
public final class IncomingMoves implements Entity {
    private final KeyValues entities;
    private final Routing routing;
    private final Queues queues;
    private final Jobs jobs;
    private final AdmissionChecks gates;
    private final ReservedJobs reserved;
    private final Producers producers;
    private final Effects out;

    public IncomingMoves(
            Queues queues,
            Jobs jobs,
            AdmissionChecks gates,
            ReservedJobs reserved,
            Producers producers,
            PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.queues = queues;
        this.jobs = jobs;
        this.gates = gates;
        this.reserved = reserved;
        this.producers = producers;
        this.out = context.out();
    }

    /** Room that is kept for a move. */
    private record Kept(String queue, long jobs, long bytes) {
        private static final int VERSION = 1;

        byte[] write() {
            return new BinaryOut()
                    .u8(VERSION)
                    .text(queue)
                    .number(jobs)
                    .number(bytes)
                    .toBytes();
        }

        static Kept read(byte[] stored) {
            BinaryIn in = new BinaryIn(stored);
            in.version(VERSION, () -> "room that is kept for jobs of another queue");
            return new Kept(in.text(), in.number(), in.number());
        }
    }

    /** Keeps room for all of them, or says why there is none. Asked again, it says the same. */
    public void expect(ExpectJobs message) {
        byte[] key = BatchKeys.expected(message.source(), message.move());
        Rejection rejection = entities.get(key) == null ? reject(message) : null;
        Queue queue = queues.find(message.queue());
        if (rejection == null && queue != null && entities.get(key) == null) {
            entities.put(key, new Kept(message.queue(), message.jobs(), message.bytes()).write());
            // mutant: room-for-move
            queue.counts.expect(message.jobs(), message.bytes());
            queues.changed(queue);
        }
        out.tell(message.source(), message.from(), new Expected(out.log(), message.move(), message.from(), rejection));
    }

    private @Nullable Rejection reject(ExpectJobs message) {
        String name = message.queue();
        Queue queue = queues.find(name);
        if (queue == null)
            return Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "There is no queue '%s' to move jobs to; POST /ojs/v1/queues makes one.".formatted(name))
                    .with("field", "target_queue");
        if (queue.ending() != null) return AdmissionChecks.rejectChange(queue);
        QueueConfig config = queue.config();
        if (!config.tenants().isNone())
            return Rejection.of(
                            ErrorCode.CONFLICT,
                            "Queue '%s' bounds its tenants, so that it is not known beforehand whether all jobs fit. Lift these bounds for the move, or drain the queue."
                                    .formatted(name))
                    .with("queue", name);
        List<String> types = config.policy().access().jobTypes();
        if (message.jobs() > 0 && types != null && !types.contains("*"))
            return Rejection.of(
                            ErrorCode.CONFLICT,
                            "Queue '%s' allows certain job types only, so that it is not known beforehand whether it may have all jobs. Lift 'allowed_job_types' for the move, or drain the queue."
                                    .formatted(name))
                    .with("queue", name);
        if (message.jobs() > 0 && producers.at(name) > 0)
            return Rejection.of(
                            ErrorCode.CONFLICT,
                            "%d producers wait for room in queue '%s', and the jobs would overtake them. Raise its bound, or wait until it has drained."
                                    .formatted(producers.at(name), name))
                    .with("queue", name)
                    .with("blocked", producers.at(name));
        boolean fits = isWithin(config.depthBound(), queue.counts.depth(), message.jobs())
                && isWithin(config.sizeBound(), queue.counts.bytes(), message.bytes());
        // mutant: move-fits
        return fits ? gates.reject(List.of(name)) : full(queue, message);
    }

    private static boolean isWithin(long bound, long now, long more) {
        return bound == 0 || more == 0 || now + more <= bound;
    }

    private static Rejection full(Queue queue, ExpectJobs message) {
        Rejection rejection = Rejection.of(
                        ErrorCode.CONFLICT,
                        "Queue '%s' has no room for the %d jobs of queue '%s', so none was moved. Raise its bound, or wait until it has drained."
                                .formatted(queue.name, message.jobs(), message.from()))
                .with("queue", queue.name)
                .with("jobs", message.jobs())
                .with("depth", queue.counts.depth());
        long depthBound = queue.config().depthBound();
        long sizeBound = queue.config().sizeBound();
        if (depthBound > 0) rejection = rejection.with("max_depth", depthBound);
        if (sizeBound > 0)
            rejection = rejection
                    .with("bytes", message.bytes())
                    .with("size_bytes", queue.counts.bytes())
                    .with("max_size_bytes", sizeBound);
        return rejection;
    }

    /** In the order in which they stood; at the end of the line here. */
    public void arrive(MoveJobs message) {
        Queue queue = queues.use(message.queue());
        List<JobRecord> come = new ArrayList<>();
        for (MovedJob moved : message.jobs()) {
            reserved.drop(moved.job());
            if (jobs.knows(moved.job())) continue;
            JobRecord job = JobCodec.read(moved.job(), moved.state());
            job.queue = queue.name;
            job.rank = queue.nextRank();
            job.hops++;
            job.registered = !routing.ofJob(job.id).equals(out.log());
            // It is not visible until it is announced, and then as what it was.
            job.reserved = true;
            come.add(job);
        }
        take(message, come);
        int next = 0;
        for (MovedJob moved : message.jobs()) {
            if (next == come.size() || !come.get(next).id.equals(moved.job())) continue;
            enter(come.get(next++), moved, message.from());
        }
        out.aboutNothing();
    }

    private void enter(JobRecord job, MovedJob moved, String from) {
        out.about(Quarantine.JOB, job.id);
        jobs.add(job, moved.payload(), moved.past());
        jobs.apply(new Arrived(from), job);
    }

    /** Their room is theirs from now on. */
    private void take(MoveJobs message, List<JobRecord> come) {
        byte[] key = BatchKeys.expected(message.source(), message.move());
        byte[] stored = entities.get(key);
        if (stored == null) return; // forgotten by a reset
        Kept kept = Kept.read(stored);
        long bytes = Math.min(
                kept.bytes, come.stream().mapToLong(job -> job.sizeBytes).sum());
        long taken = Math.min(kept.jobs, come.size());
        entities.put(key, new Kept(kept.queue, kept.jobs - taken, kept.bytes - bytes).write());
        free(kept.queue, taken, bytes);
    }

    private void free(String name, long ofJobs, long bytes) {
        Queue queue = queues.find(name);
        if (queue == null) return;
        queue.counts.expect(-ofJobs, -bytes);
        queues.changed(queue);
    }

    /** No more come: some have finished where they were. */
    public void end(EndMove message) {
        end(BatchKeys.expected(message.source(), message.move()));
    }

    private void end(byte[] key) {
        byte[] stored = entities.get(key);
        if (stored == null) return;
        entities.delete(key);
        Kept kept = Kept.read(stored);
        // mutant: room-after-move
        free(kept.queue, kept.jobs, kept.bytes);
    }

    /** Counts the room that is kept in this queue. */
    public void expect(String queue, Counts into) {
        entities.scan(BatchKeys.allExpected(), Keys.after(BatchKeys.allExpected()), (key, value) -> {
            Kept kept = Kept.read(value);
            if (kept.queue.equals(queue)) into.expect(kept.jobs, kept.bytes);
            return true;
        });
    }

    /** Forgets up to so much of it; true once nothing is left. */
    @Override
    public boolean clear(int most) {
        List<byte[]> some = new ArrayList<>();
        entities.scan(BatchKeys.allExpected(), Keys.after(BatchKeys.allExpected()), (key, value) -> {
            some.add(key);
            return some.size() < most;
        });
        some.forEach(this::end);
        return some.size() < most;
    }
}
