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

    String type() {
        return String.valueOf(job.text("type"));
    }

    String state() {
        return String.valueOf(job.text("state"));
    }

    Instant now() {
        return queue.now();
    }

    Facts waiting() {
        return job.inside("waiting");
    }

    /** Why it is not run, as its partition says; empty for one that has ended. */
    String reason() {
        String reason = waiting().text("reason");
        return reason == null ? "" : reason;
    }

    Facts lastError() {
        return errors.inside("error");
    }

    /** As in "SmtpError: connection refused"; empty without an error. */
    String shownError() {
        Facts error = lastError();
        if (!error.has("type")) return "";
        String message = error.text("message");
        return message == null ? String.valueOf(error.text("type")) : "%s: %s".formatted(error.text("type"), message);
    }

    String attempts() {
        return "attempt %d of %d".formatted(job.number("attempt"), job.number("max_attempts"));
    }

    /** How long it has waited, or run, or how long ago it ended. */
    Duration since(String time) {
        Instant since = job.time(time);
        return since == null ? Duration.ZERO : Duration.between(since, now());
    }

    String path() {
        return "/ojs/v1/jobs/" + id();
    }
}
