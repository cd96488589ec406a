package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.queue.state.Ending;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether queues take in anything at all, whatever their capacity: not while they are being deleted, nor before
 * an operator has made them, where only operators make queues.
 */
public record AdmissionChecks(Queues queues, Capacity capacity, LogicVersion rules) {
    /** Returns why no job can be taken into these queues; null when one can. */
    @Nullable
    public Rejection reject(Collection<String> names) {
        Rejection closed = rejectEntry(names);
        return closed == null ? capacity.reject(names) : closed;
    }

    /** The same for a job that is there already, and takes no more memory. */
    @Nullable
    Rejection rejectEntry(Collection<String> names) {
        boolean strict = rules.settings().strictQueues();
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue == null && strict) return unknown(name);
            Ending ending = queue == null ? null : queue.ending();
            if (ending != null) return mayGoOn(ending) ? undecided(name) : draining(name);
        }
        return null;
    }

    private static Rejection unknown(String name) {
        return Rejection.of(
                        ErrorCode.QUEUE_NOT_FOUND,
                        "There is no queue '%s', and no job can make it: queues are made with POST /ojs/v1/queues."
                                .formatted(name))
                .with("resource_type", "queue")
                .with("resource_id", name)
                .with("queue", name);
    }

    /**
     * Returns whether the queue may go on: it is closed while its move is asked for, and open again if it cannot move.
     */
    private static boolean mayGoOn(Ending ending) {
        Ending.Move move = ending.move();
        return move != null && move.asking() && !move.hasDrained();
    }

    private static Rejection undecided(String name) {
        return Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "Queue '%s' is about to be moved, and its target has not answered yet: no jobs are taken in until it has."
                                .formatted(name))
                .with("queue", name)
                .with("retry_after_seconds", 1);
    }

    private static Rejection draining(String name) {
        return Rejection.of(
                        ErrorCode.QUEUE_DRAINING,
                        "Queue '%s' is being deleted: no jobs are taken in any more.".formatted(name))
                .with("queue", name);
    }

    /** Returns why nothing can be changed about the queue any more; null when it can. */
    public static @Nullable Rejection rejectChange(Queue queue) {
        if (queue.ending() == null) return null;
        return Rejection.of(ErrorCode.CONFLICT, "Queue '%s' is being deleted.".formatted(queue.name))
                .with("queue", queue.name)
                .with("current_state", "draining");
    }
}
