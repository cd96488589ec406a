package io.floodgate.processor.unique;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Rejection.Detail;
import io.floodgate.topics.json.JsonOut;

/** Rejections of claims for other reasons than a duplicate. */
public final class KeyRejections {
    private static final Detail TAKEN =
            new Detail("reason", new JsonOut().value("unique_key_busy").toString());

    private KeyRejections() {}

    /** Returns whether the claim has to be made again, as one that waits. */
    public static boolean isTaken(Rejection why) {
        return why.details().contains(TAKEN);
    }

    static Rejection taken() {
        return busy("Another job of one of its keys is being stored; try again.")
                .withJson(TAKEN.name(), TAKEN.json());
    }

    static Rejection busy(String why) {
        return Rejection.of(ErrorCode.BACKEND_UNAVAILABLE, why).with("retry_after_seconds", 1);
    }

    static Rejection tooManyKeys() {
        return Rejection.of(
                        ErrorCode.BACKEND_UNAVAILABLE,
                        "The partition of this key knows %d unique jobs: no other one comes in."
                                .formatted(KeyRows.MOST))
                .with("reason", "too_many_unique_keys");
    }

    static Rejection shareTaken() {
        return Rejection.of(
                        ErrorCode.RATE_LIMITED,
                        "Keys with the same queues and tenant as yours have %d unique jobs in the partition of this key, which is their share. Wait until some of them have ended."
                                .formatted(KeyShares.MAX_OWNED))
                .with("reason", "too_many_unique_keys")
                .with("retry_after_seconds", 5);
    }

    static Rejection tooManyJobs() {
        return Rejection.of(
                        ErrorCode.RATE_LIMITED,
                        "%d jobs have this unique key already, and the new one does not replace them: it is not stored. Wait until some of them have ended, or name more 'unique.states'."
                                .formatted(KeyRows.MOST_OF_KEY))
                .with("reason", "too_many_jobs_of_a_unique_key")
                .with("retry_after_seconds", 5);
    }
}
