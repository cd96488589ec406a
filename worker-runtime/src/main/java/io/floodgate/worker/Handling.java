package io.floodgate.worker;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.trace.JobTracing;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Handles the jobs of one type: makes an outcome of what the handler returns or throws.
 *
 * @param handlers the handler within its middleware, for one run
 * @param timeout of jobs that do not say
 * @param transactions null if the handler is not transactional
 */
record Handling(
        String worker,
        Function<TransactionOutputs, JobHandler> handlers,
        Duration timeout,
        boolean errorsRetryable,
        DomainEvents events,
        JobTracing tracing,
        CodecChain codecs,
        @Nullable TransactionProtocol transactions) {
    /** Results beyond this would not fit a job that can be read back. */
    static final int MAX_RESULT_BYTES = 1024 * 1024;

    /** Returns the outcome, with what the handler has produced committed, if it is transactional. */
    RunOutcome outcomeOf(Run run) {
        if (transactions == null) return outcomeOf(run, new TransactionOutputs());
        return transactions.outcomeOf(run, outputs -> outcomeOf(run, outputs));
    }

    // Whatever a handler throws is an outcome: letting it through would leave the job to its lease's end.
    @SuppressWarnings("CatchingUnchecked")
    private RunOutcome outcomeOf(Run run, TransactionOutputs outputs) {
        Object result;
        try {
            run.decode(codecs);
            result = handlers.apply(outputs).handle(run);
        } catch (JobFailure failure) {
            ErrorReport report = failure.report();
            boolean judged = Boolean.FALSE.equals(report.retryable()) || report.rateLimitUntil() != null;
            return new RunOutcome.Failed(report, judged);
        } catch (Throwable failure) {
            return new RunOutcome.Failed(HandlerErrors.report(failure, errorsRetryable));
        }
        return succeeded(result);
    }

    ErrorReport killed() {
        return HandlerErrors.killed(errorsRetryable);
    }

    // The work is done: whatever is wrong with its result, to do it again would not mend it, and do twice what was
    // done.
    @SuppressWarnings("CatchingUnchecked")
    private static RunOutcome succeeded(@Nullable Object result) {
        if (result == null) return new RunOutcome.Succeeded(null);
        byte[] json;
        try {
            json = Json.MAPPER.writeValueAsBytes(result);
        } catch (Throwable failure) {
            String message = "The handler has ended, but its result cannot be written as JSON: " + failure;
            return judged("result_unwritable", Limits.cut(message, ErrorReport.MAX_MESSAGE_CHARS - 1));
        }
        if (json.length <= MAX_RESULT_BYTES) return new RunOutcome.Succeeded(json);
        return judged(
                "result_too_large",
                "The result has %d bytes; %d are allowed.".formatted(json.length, MAX_RESULT_BYTES));
    }

    static RunOutcome judged(String code, String message) {
        return new RunOutcome.Failed(
                JobFailure.permanent(code, message).code(code).report(), true);
    }
}
