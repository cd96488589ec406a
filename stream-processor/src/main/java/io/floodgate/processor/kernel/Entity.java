package io.floodgate.processor.kernel;

import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers.Timer;

/**
 * One kind of thing that lives in a partition: its queues, its directory, its workers. The partition treats all of them
 * through this interface, so that another one is a class, and a row in the list of entities.
 */
public interface Entity {
    /** Says which commands and messages it executes. */
    default void register(Handlers handlers) {}

    /** Rebuilds from the stores what is held in memory, and sets its timers. */
    default void load() {}

    /** Handles a timer that is due, and has been cancelled. Returns false for the timers of others. */
    default boolean fire(Timer timer) {
        return false;
    }

    /**
     * Serves, before a step ends, waiters for which it has made a difference. May send messages, which are handled
     * first.
     */
    default void serve() {}

    /** A step ends well: writes what was changed in memory only. */
    default void save() {}

    /**
     * A rule of this step has thrown, and what {@link Undo} knows of has been taken back. Whatever else is held in memory of
     * this step is forgotten.
     */
    default void rollBack() {}

    /** The settings of the partition have changed. */
    default void settingsChanged() {}

    /** A reset: forgets up to {@code most} things. True once nothing is left that could be forgotten. */
    default boolean clear(int most) {
        return true;
    }

    /**
     * Takes a thing whose rule has failed, and would fail again, out of everything that looks at it by itself (orders,
     * wait queues, timers), without reading more of it than it must. Returns false for the things of others.
     */
    default boolean quarantine(Subject subject) {
        return false;
    }

    /** Puts a quarantined thing back into orders, wait queues and timers, since it is to be tried again. */
    default void takeBack(Subject subject) {}

    /** Removes every trace of a quarantined thing that is given up. */
    default void discard(Subject subject) {}
}
