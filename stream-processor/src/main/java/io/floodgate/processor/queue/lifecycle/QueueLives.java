package io.floodgate.processor.queue.lifecycle;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.bound.Producers;
import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.state.Ending;
import io.floodgate.processor.queue.state.Ending.Move;
import io.floodgate.processor.queue.state.JobChange.Dismissed;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.QueueChange.Closed;
import io.floodgate.processor.queue.state.QueueChange.Reopened;
import io.floodgate.processor.queue.state.QueueChange.Resumed;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.transfer.JobTimers;
import io.floodgate.processor.queue.transfer.OutgoingMoves;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.MoveMessage.EndMove;
import io.floodgate.topics.command.MoveMessage.Expected;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Deletion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queues that operators delete (OJS queue configuration §5). A queue that is deleted takes nothing in; what is
 * unfinished in it comes to an end as the operator has said, a slice at a time; then it is gone, and its name is free.
 */
public final class QueueLives implements Entity {
    private static final String END = "end-queue";
    private static final int SLICE = 100;

    /** Time within which the target of a move has to answer; without an answer the queue goes on as before. */
    static final Duration MOST_ASKING = Duration.ofSeconds(10);

    private static final JobId FIRST = new JobId(0, 0);
    private static final ErrorReport QUEUE_DELETED = new ErrorReport(
            "queue_deleted", "queue_deleted", "The job's queue was deleted.", false, new byte[] {'{', '}'});

    private final Queues queues;
    private final Jobs jobs;
    private final JobTimers timers;
    private final Producers producers;
    private final OutgoingMoves moving;
    private final QueueEnd parts;
    private final Timers clock;
    private final Work work;
    private final Effects out;

    public QueueLives(
            Queues queues,
            Jobs jobs,
            JobTimers timers,
            Producers producers,
            OutgoingMoves moving,
            QueueEnd parts,
            PartitionContext context) {
        this.queues = queues;
        this.jobs = jobs;
        this.timers = timers;
        this.producers = producers;
        this.moving = moving;
        this.parts = parts;
        this.clock = context.timers();
        this.work = context.work();
        this.out = context.out();
        context.work().register(END, this::slice);
    }

    public void delete(DeleteQueue command) {
        Queue queue = queues.find(command.queue());
        if (queue == null) {
            out.reject(Rejection.notFound("queue", command.queue()));
            return;
        }
        Ending before = queue.ending();
        // Workers may never empty it: then nothing is lost yet if the operator decides otherwise.
        boolean begins = before == null
                || (before.drains() && (command.strategy() == Deletion.DISCARD || command.strategy() == Deletion.MOVE));
        Rejection rejection = begins ? reject(queue, command) : null;
        if (rejection != null) {
            out.reject(rejection);
        } else if (before == null || begins) {
            begin(queue, command);
        } else {
            Move move = before.move();
            // Should the question have been lost.
            if (move != null && move.asking()) moving.ask(queue, move);
            out.reply(shown(queue, before));
        }
    }

    private JsonOut shown(Queue queue, Ending ending) {
        JsonOut reply = JsonOut.object().field("queue", queue.name);
        ending.show(reply);
        return reply.field("jobs_left", queue.counts.depth())
                .field("state", isEmpty(queue) && !ending.isAsking() ? "deleted" : "draining")
                .endObject();
    }

    private static @Nullable Rejection reject(Queue queue, DeleteQueue command) {
        long depth = queue.counts.depth();
        if (command.strategy() == Deletion.REJECT && depth > 0) return hasJobs(queue, depth);
        if (command.strategy() != Deletion.MOVE) return null;
        String target = command.target();
        if (target == null) return noTarget("Say in 'target_queue' where the jobs go.");
        if (!EnvelopeReader.isQueueName(target))
            return noTarget("No queue can be named '%s'.".formatted(Limits.cut(target, Limits.ECHO_CHARS)));
        return target.equals(queue.name) ? noTarget("The jobs would go where they are.") : null;
    }

    private static Rejection noTarget(String message) {
        return Rejection.of(ErrorCode.INVALID_REQUEST, message).with("field", "target_queue");
    }

    private static Rejection hasJobs(Queue queue, long depth) {
        return Rejection.of(
                        ErrorCode.CONFLICT,
                        "Queue '%s' has %d unfinished jobs. Say what becomes of them: strategy 'discard', 'move' or 'drain'."
                                .formatted(queue.name, depth))
                .with("queue", queue.name)
                .with("depth", depth);
    }

    private void begin(Queue queue, DeleteQueue command) {
        Deletion strategy = command.strategy();
        String target = command.target();
        if (strategy == Deletion.MOVE && target != null) {
            ask(queue, target);
        } else {
            Ending ending = new Ending(strategy, out.now(), queue.counts.depth(), null);
            close(queue, ending);
            out.reply(shown(queue, ending));
        }
    }

    /** Asks the target. If it rejects, the earlier decision is still known. */
    private void ask(Queue queue, String target) {
        Ending before = queue.ending();
        Instant until = out.now().plus(MOST_ASKING);
        Move move = new Move(target, out.nextNumber(), true, until, out.takeReplyTo(), before != null);
        Ending ending = before == null
                ? new Ending(Deletion.MOVE, out.now(), queue.counts.depth(), move)
                : new Ending(Deletion.MOVE, before.since(), before.affected(), move);
        queues.apply(new Closed(ending), queue);
        clock.set(Timer.move(until, queue.name));
        moving.ask(queue, move);
    }

    /** Sets the timers of those who are asking. */
    @Override
    public void load() {
        for (Queue queue : queues.all()) {
            Ending ending = queue.ending();
            Move move = ending == null ? null : ending.move();
            if (move != null && move.asking()) clock.set(Timer.move(move.until(), queue.name));
        }
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.MOVE) return false;
        giveUp(timer.name());
        return true;
    }

    /**
     * Gives the move up, since the target has not answered in time. If it answers later, its reservation is released.
     */
    private void giveUp(String name) {
        Queue queue = queues.find(name);
        Ending ending = queue == null ? null : queue.ending();
        Move move = ending == null ? null : ending.move();
        if (queue == null || move == null || !move.asking()) return;
        Rejection silent = Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The partition of queue '%s' has not answered within %d s, or the jobs of queue '%s' could not be counted by then. Nothing was moved, and the queue goes on as before."
                                .formatted(move.target(), MOST_ASKING.toSeconds(), name))
                .with("queue", move.target());
        Reply reply = reopen(queue, silent);
        if (move.replyTo() != null) out.replyTo(move.replyTo(), reply);
    }

    /** Closes the queue: from now on it ends for certain. */
    private void close(Queue queue, Ending ending) {
        // The operator who paused it did not mean that it should never end.
        if (queue.isPaused()) queues.apply(new Resumed(), queue);
        queues.apply(new Closed(ending), queue);
        if (ending.endsJobs() && queue.counts.depth() > 0) work.begin(END, queue.name, null);
    }

    /** The target of a move has answered whether there is capacity. */
    public void expected(Expected message) {
        Queue queue = queues.find(message.from());
        Ending ending = queue == null ? null : queue.ending();
        Move move = ending == null ? null : ending.move();
        Rejection rejection = message.rejection();
        boolean isMeant = move != null && move.number() == message.move();
        if (queue == null || ending == null || move == null || !isMeant) {
            // That reservation is no longer needed.
            if (rejection == null) out.tell(message.target(), message.from(), new EndMove(out.log(), message.move()));
        } else if (move.asking()) {
            clock.cancel(Timer.move(move.until(), queue.name));
            Reply reply = rejection == null ? begin(queue, ending) : reopen(queue, rejection);
            if (move.replyTo() != null) out.replyTo(move.replyTo(), reply);
        }
    }

    private Reply begin(Queue queue, Ending asked) {
        Ending ending = asked.begun(out.now(), queue.counts.depth());
        close(queue, ending);
        return new Reply.Done(shown(queue, ending).toBytes());
    }

    private Reply reopen(Queue queue, Rejection rejection) {
        queues.apply(new Reopened(), queue);
        return new Reply.Rejected(rejection);
    }

    private boolean isEmpty(Queue queue) {
        return queue.counts.depth() == 0 && producers.at(queue.name) == 0;
    }

    // ---- what is in it

    private byte @Nullable [] slice(Piece piece) {
        Queue queue = queues.find(piece.subject());
        if (queue == null || queue.ending() == null) return null;
        queues.changed(queue);
        List<JobId> ready = queue.ready().first(SLICE);
        boolean more = end(queue, ready) != null || ready.size() == SLICE;
        if (more) return piece.cursor();
        byte[] next = others(queue, piece.cursor());
        // The first of an order key has gone, and the next one can follow.
        boolean canFollow = next == null && !queue.ready().first(1).isEmpty();
        return canFollow ? piece.cursor() : next;
    }

    /** Ends jobs that no worker could fetch, in the order of their ids. */
    private byte @Nullable [] others(Queue queue, byte[] cursor) {
        List<JobId> some = new ArrayList<>();
        JobId from = cursor.length == 0 ? FIRST : read(new BinaryIn(cursor));
        JobId next = jobs.collectLive(queue, from, some);
        JobId left = end(queue, some);
        if (left != null) next = left;
        return next == null ? null : new BinaryOut().job(next).toBytes();
    }

    private static JobId read(BinaryIn in) {
        return in.job();
    }

    /**
     * Ends, before a step ends, jobs that have come back into a queue whose jobs have to end, from a worker or a batch.
     */
    public void follow() {
        for (JobId id : jobs.takeToEnd()) {
            JobRecord job = jobs.find(id);
            // Those that are ready have their turn with the others.
            boolean comesLater = job != null && job.isReady() && work.has(END, job.queue);
            if (job != null && job.state != JobState.ACTIVE && !comesLater) end(queues.of(job), List.of(id));
        }
    }

    /** Ends these jobs in this order, as many as one slice allows. Returns the first one that is left. */
    private @Nullable JobId end(Queue queue, List<JobId> ids) {
        Ending ending = queue.ending();
        if (ending == null || !ending.endsJobs()) return null;
        Move move = ending.move();
        JobId left = null;
        for (JobId id : ids) {
            if (moving.isFull()) {
                left = id;
                break;
            }
            if (!jobs.orders().isAside(id)) end(id, move);
        }
        out.aboutNothing();
        if (move != null) moving.send(queue, move);
        return left;
    }

    private void end(JobId id, @Nullable Move move) {
        out.about(Quarantine.JOB, id);
        JobRecord job = jobs.find(id);
        if (job != null) timers.catchUp(job);
        // A victim of a batch, or a job on its way elsewhere, ends with that, or comes back.
        if (job == null || !job.isLive() || job.promise != null || job.movingTo != null) return;
        if (move == null) {
            jobs.apply(new Dismissed(QUEUE_DELETED), job);
            return;
        }
        // mutant: move-in-order
        if (jobs.keyTurns().holder(job) == null && job.state != JobState.ACTIVE) moving.leave(job, move);
    }

    /** Removes, at the end of a step, queues that have nothing unfinished left. */
    public void finish() {
        for (Queue queue : List.copyOf(queues.changed())) {
            Ending ending = queue.ending();
            if (ending == null || ending.isAsking() || !isEmpty(queue) || work.has(END, queue.name)) continue;
            parts.end(queue);
            if (ending.move() != null) moving.end(ending.move());
        }
    }
}
