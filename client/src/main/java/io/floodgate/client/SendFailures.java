package io.floodgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Answers, as exceptions for the waiting callers. */
final class SendFailures {
    private SendFailures() {}

    /** @param unknown whether an earlier try may have stored the jobs */
    static EnqueueFailed of(SendResult answer, boolean unknown, @Nullable String jobId) {
        return switch (answer) {
            case SendResult.Rejected rejected
            when rejected.isDuplicate() ->
                new DuplicateJob(rejected.code(), rejected.message(), rejected.details(), jobId);
            case SendResult.Rejected rejected
            when rejected.backpressure() ->
                new QueueFull(rejected.code(), rejected.message(), rejected.details(), jobId, after(rejected));
            case SendResult.Rejected rejected ->
                new JobRejected(rejected.code(), rejected.message(), rejected.details(), jobId, after(rejected));
            case SendResult.Unavailable none ->
                new ServerUnavailable(
                        none.code(),
                        none.message(),
                        unknown,
                        jobId,
                        none.retryAfter().orElse(null));
            case SendResult.Stored stored -> throw new IllegalArgumentException("this is no failure: " + stored);
        };
    }

    private static @Nullable Duration after(SendResult.Rejected rejected) {
        return rejected.retryAfter().orElse(null);
    }
}
