package io.floodgate.gateway.explain;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a job.
 *
 * @param job as its partition shows it
 * @param errors how its attempts failed
 * @param queue of the job
 * @param worker that runs it, as its registry has it; null if there is none, or it is not known
 */
record JobStanding(
        Facts job,
        Facts errors,
        QueueStanding queue,
        @Nullable Facts worker) {
    String id() {
        return String.valueOf(job.text("id"));
    }

    String state() {
        return String.valueOf(job.text("state"));
    }

    Instant now() {
        return queue.now();
    }

    /** As in "SmtpError: connection refused"; null without an error. */
    @Nullable
    String shownError() {
        Facts error = errors.inside("error");
        String type = error.text("type");
        String message = error.text("message");
        return type == null || message == null ? type : "%s: %s".formatted(type, message);
    }

    /** How long it has waited, or run, or how long ago it ended. */
    Duration since(String time) {
        Instant since = job.time(time);
        return since == null ? Duration.ZERO : Duration.between(since, now());
    }
}
