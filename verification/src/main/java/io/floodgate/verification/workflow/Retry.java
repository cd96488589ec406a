package io.floodgate.verification.workflow;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A retry that a client has sent, and that was not rejected for certain.
 *
 * @param subject id of a workflow, id of a job, or name of a queue of which all dead letters are retried
 * @param until when it was answered; {@link Instant#MAX} if it may be executed at any later time
 */
record Retry(String subject, Instant sent, Instant until) {
    Retry {
        // As exact as the times of events.
        sent = sent.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Whether it may have been executed at any time between these. */
    boolean isWithin(Instant from, Instant to) {
        return !sent.isAfter(to) && !until.isBefore(from);
    }
}
