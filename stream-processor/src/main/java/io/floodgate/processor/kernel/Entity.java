package io.floodgate.processor.kernel;

import io.floodgate.processor.kernel.Quarantine.Subject;
import io.floodgate.processor.kernel.Timers.Timer;

/**
 * One kind of thing that lives in a partition: its queues, its directory, its workers. The partition treats all of them through
 * this interface, so that another one is a class, and a line in the list of entities.
 */
public interface Entity {
    /** Says which commands and messages it executes. */
    default void register(Handlers handlers) {}

    /** Rebuilds from the stores what is held in memory, and sets its timers. */
    default void load() {}

    /** Its timer is due, and has been cancelled. False for the timers of others. */
    default boolean fire(Timer timer) {
        return false;
    }

    /** Before a step ends: serves those for whom it has made a difference. May send messages, which are handled first. */
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
     * A rule about this thing has failed, and would fail again: takes it out of everything that looks at it by itself
     * (orders, lines, timers), without reading more of it than it must. False for the things of others.
     */
    default boolean quarantine(Subject subject) {
        return false;
    }

    /** What was quarantined shall be tried again: puts it back into orders, lines and timers. */
    default void takeBack(Subject subject) {}

    /** What was quarantined is given up: removes every trace of it. */
    default void discard(Subject subject) {}
}
