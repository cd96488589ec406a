package io.floodgate.verification.history;

/** What the server says of a job when all is quiet. */
public record FinalState(String job, String state) {
    private static final String GONE = "gone";

    /** The server does not know the job. */
    public static FinalState gone(String job) {
        return new FinalState(job, GONE);
    }

    public boolean isGone() {
        return state.equals(GONE);
    }
}
