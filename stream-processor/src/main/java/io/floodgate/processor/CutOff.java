package io.floodgate.processor;

import java.time.Duration;

/**
 * When a step of a partition is cut off, and what is done about one that does not end then.
 *
 * @param limit of a step's processor time; a step that is as it should be takes milliseconds
 * @param whenEndless is run each time that an endless step, which uses no store, has taken the limit again: its thread is lost to
 *     this process
 */
public record CutOff(Duration limit, Runnable whenEndless) {
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(10);

    /** The process goes on without the thread: it may be another program's. */
    public static final CutOff DEFAULT = new CutOff(DEFAULT_LIMIT, () -> {});

    /** By sysexits.h: an error inside of the program. */
    private static final int EXIT_OF_ENDLESS_STEP = 70;

    /** For a process of Floodgate's own, which is started again from outside. */
    public static final CutOff ENDING_THE_PROCESS =
            new CutOff(DEFAULT_LIMIT, () -> Runtime.getRuntime().halt(EXIT_OF_ENDLESS_STEP));
}
