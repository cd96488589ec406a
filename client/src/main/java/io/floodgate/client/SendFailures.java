package io.floodgate.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Answers as those who wait are told them. */
final class SendFailures {
    private SendFailures() {}

    /** @param unknown whether an earlier try may have stored the jobs */
    static EnqueueFailed of(SendResult answer, boolean unknown, @Nullable String jobId) {
        return switch (answer) {
            case SendResult.Refused refused
            when refused.isDuplicate() -> new DuplicateJob(refused.code(), refused.message(), refused.details(), jobId);
            case SendResult.Refused refused
            when refused.backpressure() ->
                new QueueFull(refused.code(), refused.message(), refused.details(), jobId, after(refused));
            case SendResult.Refused refused ->
                new JobRefused(refused.code(), refused.message(), refused.details(), jobId, after(refused));
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

    private static @Nullable Duration after(SendResult.Refused refused) {
        return refused.retryAfter().orElse(null);
    }
}
