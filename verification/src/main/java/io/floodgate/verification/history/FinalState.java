package io.floodgate.verification.history;

import org.jspecify.annotations.Nullable;

/**
 * What the server says of a job when all is quiet.
 *
 * @param token by which its enqueue is known; null if it has none
 */
public record FinalState(String job, String state, @Nullable String token) {
    private static final String GONE = "gone";

    /** The server does not know the job. */
    public static FinalState gone(String job) {
        return new FinalState(job, GONE, null);
    }

    public boolean isGone() {
        return state.equals(GONE);
    }
}
