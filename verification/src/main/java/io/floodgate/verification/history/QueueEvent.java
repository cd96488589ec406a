package io.floodgate.verification.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event of a queue, in the order of its partition. */
public sealed interface QueueEvent {
    String queue();

    /** When its log decided it, by the broker's clock. */
    Instant time();

    /**
     * A job of the queue is in this state now.
     *
     * @param bytes that it takes of a bound; null where the event does not say
     * @param waited how long its producer was blocked; null if it was not
     */
    record JobMoved(
            String queue,
            Instant time,
            String type,
            String job,
            String state,
            @Nullable Long bytes,
            @Nullable Duration waited)
            implements QueueEvent {
        private static final Set<String> ENDS = Set.of("completed", "cancelled", "discarded");

        boolean isLive() {
            return !ENDS.contains(state) && !type.equals("floodgate.job_given_up");
        }
    }

    /**
     * From now on these bounds hold.
     *
     * @param maxDepth zero for none, as is {@code maxBytes}
     * @param depth of the queue at this moment, with jobs that are reserved, and also those that are to make room for them;
     *     as are {@code bytes}
     * @param isFair its tenants take turns, all of them with the same weight
     */
    record Configured(
            String queue,
            Instant time,
            long maxDepth,
            long maxBytes,
            String strategy,
            long depth,
            long bytes,
            boolean isFair)
            implements QueueEvent {}

    /** The job, whose end was the event just before, has made room for another one. */
    record Dropped(String queue, Instant time, String job) implements QueueEvent {}

    /** Nothing unfinished is left of it: some jobs may have moved, which only events of the other queue show. */
    record Deleted(String queue, Instant time) implements QueueEvent {}
}
