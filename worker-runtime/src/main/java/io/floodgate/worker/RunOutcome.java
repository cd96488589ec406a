package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The outcome of a run. The first one that is found counts; see {@link Run}. */
sealed interface RunOutcome {
    /** {@code result} is JSON. */
    record Succeeded(byte @Nullable [] result) implements RunOutcome {}

    /** @param judged the handler itself has found that the job can never succeed, or not yet: it works as it should */
    record Failed(ErrorReport error, boolean judged) implements RunOutcome {
        Failed(ErrorReport error) {
            this(error, false);
        }
    }

    /**
     * The job was not run to its end, and the attempt does not count.
     *
     * @param delay the time before the next attempt; zero for at once
     */
    record GivenBack(String code, String why, Duration delay) implements RunOutcome {
        static final GivenBack CLOSED = new GivenBack("worker_closed", "The worker closed.", Duration.ZERO);

        private static final Duration AFTER_NOT_STARTING = Duration.ofSeconds(1);

        static GivenBack notStarted(Throwable why) {
            return new GivenBack(
                    "not_started", "The handler's thread could not be started: " + why, AFTER_NOT_STARTING);
        }
    }

    /** Another worker may be running the job by now: there is nothing left to report. */
    record LeaseLost() implements RunOutcome {}

    /** The job was cancelled while its handler ran: there is nothing left to report. */
    record Cancelled() implements RunOutcome {}

    /** Returns the label for metrics. */
    default String label() {
        return switch (this) {
            case Succeeded s -> "succeeded";
            case Failed f -> "failed";
            case GivenBack g -> "given_back";
            case LeaseLost l -> "lease_lost";
            case Cancelled c -> "cancelled";
        };
    }
}
