package io.floodgate.processor.queue.transfer;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.Ending;
import io.floodgate.processor.queue.state.Ending.Move;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.MoveMessage.CountJobs;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.MoveMessage.JobCounts;
import io.floodgate.topics.command.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of a queue by type and tenant, for the target of a move that does not take every job: a slice at a time, the
 * first one at once, in the order of ids. The queue takes nothing in meanwhile, so no job is missed. A job that ends meanwhile may be counted.
 */
public final class MoveCounting {
    private static final String COUNT = "count-move";
    private static final JobId FIRST = new JobId(0, 0);

    /** Most types, and most tenants: both travel in one message, and the target keeps the tenants. */
    static final int MAX_NAMES = 1_000;

    private record Cursor(String queue, JobId next, JobCounts counts) {
        static final StoredForm<Cursor> STORED = new StoredForm<>(Cursor.class, 1, "counts of a queue that moves");
    }

    private final Queues queues;
    private final Jobs jobs;
    private final TenantCounting tenants;
    private final OutgoingMoves moving;
    private final Work work;
    private final Effects out;

    public MoveCounting(
            Queues queues, Jobs jobs, TenantCounting tenants, OutgoingMoves moving, PartitionContext context) {
        this.queues = queues;
        this.jobs = jobs;
        this.tenants = tenants;
        this.moving = moving;
        this.work = context.work();
        this.out = context.out();
        context.work().register(COUNT, this::next);
    }

    /** The target has asked for the counts. */
    public void count(CountJobs message) {
        String subject = Long.toString(message.move());
        Queue queue = queues.find(message.from());
        Move move = asking(queue, message.move());
        if (queue == null || move == null || work.has(COUNT, subject)) return;
        long toCome = queue.counts.expected();
        if (toCome > 0) {
            reject(
                    queue,
                    move,
                    "Jobs (%d) are still on their way to queue '%s', by a move or in parts of a batch, so that their types and tenants are not known. Try again when they have come."
                            .formatted(toCome, queue.name));
            return;
        }
        byte[] cursor = count(queue, move, FIRST, new JobCounts(new TreeMap<>(), new TreeMap<>()));
        if (cursor != null) work.begin(COUNT, subject, null, out.now(), cursor);
    }

    private static @Nullable Move asking(@Nullable Queue queue, long number) {
        Ending ending = queue == null ? null : queue.ending();
        Move move = ending == null ? null : ending.move();
        return move != null && move.asking() && move.number() == number ? move : null;
    }

    private byte @Nullable [] next(Piece piece) {
        Cursor cursor = Cursor.STORED.read(piece.cursor());
        Queue queue = queues.find(cursor.queue);
        Move move = asking(queue, Long.parseLong(piece.subject()));
        // Given up meanwhile: its time was up.
        if (queue == null || move == null) return null;
        return count(queue, move, cursor.next, cursor.counts);
    }

    /**
     * Counts a slice. Returns where the next one begins; null once the target has been asked again, or no longer needs
     * to be.
     */
    private byte @Nullable [] count(Queue queue, Move move, JobId from, JobCounts before) {
        SortedMap<String, Long> ofTypes = new TreeMap<>(before.types());
        SortedMap<String, Long> ofTenants = new TreeMap<>(before.tenants());
        List<JobId> some = new ArrayList<>();
        JobId next = jobs.collectLive(queue, from, some);
        for (JobId id : some) {
            out.about(Quarantine.JOB, id);
            JobRecord job = jobs.findReserved(id);
            if (job == null || !job.isLive() || !job.queue.equals(queue.name)) continue;
            ofTypes.merge(job.type, 1L, Long::sum);
            ofTenants.merge(tenants.tenant(job), 1L, Long::sum);
        }
        out.aboutNothing();
        if (ofTypes.size() > MAX_NAMES || ofTenants.size() > MAX_NAMES) {
            reject(
                    queue,
                    move,
                    "Queue '%s' has jobs of more than %d types or tenants: too many to compare with what queue '%s' takes. Lift its 'allowed_job_types' and bounds of tenants for the move, or drain the queue."
                            .formatted(queue.name, MAX_NAMES, move.target()));
            return null;
        }
        if (next == null) {
            moving.ask(queue, move, new JobCounts(ofTypes, ofTenants));
            return null;
        }
        return Cursor.STORED.write(new Cursor(queue.name, next, new JobCounts(ofTypes, ofTenants)));
    }

    private void reject(Queue queue, Move move, String why) {
        Rejection rejection = Rejection.of(ErrorCode.CONFLICT, why).with("queue", queue.name);
        out.tell(out.log(), queue.name, new Expected(out.log(), move.number(), queue.name, rejection));
    }
}
