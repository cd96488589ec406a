package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * How the jobs of one type are handled: what the handler returns or throws, as an outcome.
 *
 * @param timeout of jobs that do not say
 */
record Handling(
        String worker, JobHandler handler, Duration timeout, boolean errorsRetryable, DomainEvents events) {
    /** Results beyond this would not fit a job that anybody can read back. */
    static final int MAX_RESULT_BYTES = 1024 * 1024;

    // Whatever a handler throws is an outcome: letting it through would leave the job to its lease's end.
    @SuppressWarnings("CatchingUnchecked")
    Outcome outcomeOf(JobContext context) {
        try {
            return succeeded(handler.handle(context));
        } catch (JobFailure failure) {
            ErrorReport report = failure.report();
            return new Outcome.Failed(report, Boolean.FALSE.equals(report.retryable()));
        } catch (Throwable failure) {
            return new Outcome.Failed(HandlerErrors.report(failure, errorsRetryable));
        }
    }

    ErrorReport killed() {
        return HandlerErrors.killed(errorsRetryable);
    }

    private static Outcome succeeded(@Nullable Object result) throws JacksonException {
        if (result == null) return new Outcome.Succeeded(null);
        byte[] json = Json.MAPPER.writeValueAsBytes(result);
        if (json.length <= MAX_RESULT_BYTES) return new Outcome.Succeeded(json);
        return judged(
                "result_too_large",
                "The result has %d bytes; %d are allowed.".formatted(json.length, MAX_RESULT_BYTES));
    }

    private static Outcome judged(String code, String message) {
        return new Outcome.Failed(JobFailure.permanent(code, message).code(code).report(), true);
    }
}
