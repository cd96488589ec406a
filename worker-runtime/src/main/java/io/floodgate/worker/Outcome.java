package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import org.jspecify.annotations.Nullable;

/** How a run ended. The first outcome that is found stands; see {@link Run}. */
sealed interface Outcome {
    /** {@code result} is JSON. */
    record Succeeded(byte @Nullable [] result) implements Outcome {}

    record Failed(ErrorReport error) implements Outcome {}

    /** The worker closes and the handler has not finished: the attempt does not count. */
    record GivenBack() implements Outcome {}

    /** Somebody else may be running the job by now: there is nothing left to report. */
    record LeaseLost() implements Outcome {}

    /** The job was cancelled while its handler ran: there is nothing left to report. */
    record Cancelled() implements Outcome {}

    /** For metrics. */
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
