package io.floodgate.processor.queue.bound;

import io.floodgate.topics.command.Message.Prepare;
import io.floodgate.topics.command.Message.Turn;
import io.floodgate.topics.command.OwnJobMessage.PlaceOwn;
import io.floodgate.topics.command.Patient;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides which commands can wait for capacity, and how they join the producers that wait. */
record ProducerWaits(Producers producers) {
    /** Time for producers that wait only until enough jobs were dropped, a slice with each tick. */
    private static final Duration A_MOMENT = Duration.ofSeconds(5);

    /** A way to join the wait queue of one queue. */
    interface Joining {
        /** Returns the ticket; null if too many wait already. */
        @Nullable
        Long join(RequiredCapacity demand);

        /** Returns whether its jobs count as offered from now on, and not when they come in or are rejected. */
        boolean countsNow();

        /** Returns whether the system has made the job, which then waits whatever the strategy of the queue. */
        boolean isOfOwn();
    }

    /** Joins nothing: to find out whether there is capacity. */
    static Joining probing() {
        return joining(demand -> 0L, false, false);
    }

    @Nullable
    Joining of(@Nullable Patient command) {
        if (command == null || command.maxWait().isZero()) return null;
        boolean isNew = producers.waitingSince() == null;
        return joining(
                demand -> producers.wait(
                        demand.queue().name,
                        demand.jobs(),
                        demand.bytes(),
                        demand.tenants().jobs(),
                        command),
                isNew,
                command instanceof PlaceOwn own && own.anywhere());
    }

    /** Lets the command continue as soon as others had their turn. */
    @Nullable
    Joining soon(@Nullable Patient command) {
        if (command == null) return null;
        Joining line = of(command.maxWait().isZero() ? command.waiting(A_MOMENT) : command);
        if (line == null) return null;
        return joining(
                demand -> {
                    Long place = line.join(demand);
                    producers.lookSoon(demand.queue().name);
                    return place;
                },
                line.countsNow(),
                line.isOfOwn());
    }

    private static Joining joining(
            Function<RequiredCapacity, @Nullable Long> join, boolean countsNow, boolean isOfOwn) {
        return new Joining() {
            @Override
            public @Nullable Long join(RequiredCapacity demand) {
                return join.apply(demand);
            }

            @Override
            public boolean countsNow() {
                return countsNow;
            }

            @Override
            public boolean isOfOwn() {
                return isOfOwn;
            }
        };
    }

    @Nullable
    Joining of(Prepare asking) {
        Turn turn = asking.turn();
        if (turn == null || turn.isLast()) return null;
        if (!turn.joins()) return probing();
        return joining(
                demand -> producers.join(
                        demand.queue().name,
                        demand.jobs(),
                        demand.bytes(),
                        demand.tenants().jobs(),
                        asking,
                        turn),
                false,
                false);
    }
}
