package io.floodgate.processor.queue.state;

import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Deletion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a queue, from when it was decided.
 *
 * @param strategy what becomes of its unfinished jobs
 * @param since when that was decided; as long as it is asked whether a draining queue may move, since when it drains
 * @param affected how many unfinished jobs there were then
 * @param move where they go; null if they go nowhere
 */
public record Ending(
        Deletion strategy,
        Instant since,
        long affected,
        @Nullable Move move) {
    /**
     * A move to another queue.
     *
     * @param number of this move among those of the partition
     * @param asking whether the target still has to answer that it has capacity
     * @param until it may say so; then the queue goes on as before
     * @param replyTo the caller that gets the target's answer
     * @param hasDrained the queue was draining before, and goes on with that if there is none
     */
    public record Move(
            String target,
            long number,
            boolean asking,
            Instant until,
            @Nullable ReplyTo replyTo,
            boolean hasDrained) {}

    /** Returns whether workers go on with what is there. */
    public boolean drains() {
        return strategy == Deletion.DRAIN;
    }

    /** Returns whether the end has not begun yet, and may not. */
    public boolean isAsking() {
        return move != null && move.asking;
    }

    /** Returns whether its jobs are to leave it before they have finished. */
    public boolean endsJobs() {
        return !drains() && !isAsking();
    }

    /** Returns the end that begins now with {@code jobs} jobs, since the target has capacity for them. */
    public Ending begun(Instant now, long jobs) {
        return new Ending(
                strategy,
                now,
                jobs,
                move == null ? null : new Move(move.target, move.number, false, move.until, null, move.hasDrained));
    }

    public void show(JsonOut out) {
        out.field("strategy", strategy.wire())
                .optional("target_queue", move == null ? null : move.target)
                .field("jobs_affected", affected);
    }
}
