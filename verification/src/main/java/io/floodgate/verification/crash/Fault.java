package io.floodgate.verification.crash;

/** What is done to a process. */
enum Fault {
    KILL("kill -9"),
    /** The second time while it is busy coming back. */
    KILL_TWICE("kill -9, and again while it starts"),
    /** Others have to notice, and take over. */
    KILL_AND_LEAVE("kill -9, others take over"),
    /** Longer than a session and a transaction may last: the process wakes up when others have taken over. */
    FREEZE("stopped for 13 s, then continued"),
    RESTART("stopped by SIGTERM"),
    /** By a second or by an hour, ahead or back; and then to the right time. */
    CLOCK("its clock is set");

    private final String words;

    Fault(String words) {
        this.words = words;
    }

    boolean isKill() {
        return this == KILL || this == KILL_TWICE || this == KILL_AND_LEAVE;
    }

    @Override
    public String toString() {
        return words;
    }
}
