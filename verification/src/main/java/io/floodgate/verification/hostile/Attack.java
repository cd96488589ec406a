package io.floodgate.verification.hostile;

/** One way to hurt a server. */
public interface Attack {
    String name();

    /** What it does, in a line. */
    String what();

    /**
     * Does its worst, and looks at what it alone can see: what is amiss goes to {@link Target#complain}. That the process
     * lives, that it comes back from {@code kill -9}, that answered jobs are there and the canary is served is looked at
     * for all of them.
     */
    void run(Target target) throws Exception;

    /** Broker, processors and a gateway as processes of their own; else all in one. */
    default int processors() {
        return 0;
    }

    /** Whether it leaves a server behind that others can still use. */
    default boolean needsItsOwnServer() {
        return processors() > 0;
    }

    /** Else it ends the server itself, because that stands on something that goes away. */
    default boolean leavesItRunning() {
        return true;
    }

    /** Something a start has to cope with; the short form spares itself the others' {@code kill -9}. */
    default boolean leavesTraces() {
        return true;
    }

    /** Whether the server may speak of errors in its log, because there are some. */
    default boolean mayLogErrors() {
        return false;
    }

    /** Whether it can go on for as long as the canary needs for a song; else it is done once. */
    default boolean canBeRepeated() {
        return false;
    }

    /** How many rounds of the canary may be answered with an honest 503, of a hundred. */
    default int rejectedRounds() {
        return 10;
    }

    /**
     * Whether its records stand before the canary's in the attacked partition, as only a client with rights on
     * {@code ojs.commands} can have it: then rounds wait for them, and only how they fail is judged.
     */
    default boolean holdsUpItsPartition() {
        return false;
    }
}
