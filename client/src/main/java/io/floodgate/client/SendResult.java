package io.floodgate.client;

import io.floodgate.client.ProducerListener.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of a batch. */
sealed interface SendResult {
    /** Returns when to try again, if the server says so. */
    Optional<Duration> retryAfter();

    /** All jobs of the batch are stored. */
    record Stored(Optional<QueuePressure> pressure) implements SendResult {
        @Override
        public Optional<Duration> retryAfter() {
            return Optional.empty();
        }
    }

    /**
     * A definite no: nothing was stored.
     *
     * @param backpressure the server asks for fewer jobs, not for other ones
     * @param retryable whether the same batch may be taken later
     */
    record Rejected(
            String code,
            String message,
            boolean backpressure,
            boolean retryable,
            Optional<Duration> retryAfter,
            Map<String, String> details)
            implements SendResult {
        boolean isDuplicate() {
            return code.equals("duplicate");
        }
    }

    /**
     * The server is not there, or cannot serve.
     *
     * @param unknown the jobs may have been stored, or may yet be
     */
    record Unavailable(String code, String message, boolean unknown, Optional<Duration> retryAfter)
            implements SendResult {
        static Unavailable failed(Throwable failure) {
            return new Unavailable("client_failure", String.valueOf(failure), true, Optional.empty());
        }
    }

    /** Returns the result for these entries, which were sent together. */
    default Result to(List<PendingSend> sent) {
        return switch (this) {
            case Stored stored -> Result.STORED;
            case Unavailable none -> Result.UNAVAILABLE;
            case Rejected rejected -> {
                if (rejected.backpressure && rejected.retryable) yield Result.BACKPRESSURE;
                boolean wasThere = rejected.isDuplicate()
                        && sent.size() == 1
                        && sent.getFirst().isMeantBy(rejected.details.get(Details.EXISTING));
                yield wasThere ? Result.WAS_THERE : Result.REJECTED;
            }
        };
    }
}
