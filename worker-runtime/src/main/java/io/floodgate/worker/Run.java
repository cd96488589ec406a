package io.floodgate.worker;

import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * One handling of one job, on a virtual thread of its own. Several things may end it: the handler, its time-out, the loss
 * of the lease, the closing of the worker. The first decides and is reported; the handler is interrupted when it was not
 * the handler. The run is over when the handler has returned, however late, and the outcome has been answered: only then
 * does its permit become free.
 */
final class Run implements JobContext {
    /** Results beyond this would not fit a job that anybody can read back. */
    static final int MAX_RESULT_BYTES = 1024 * 1024;

    private final Job job;
    private final String worker;
    private final Function<Outcome, CompletableFuture<?>> reporter;
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final CompletableFuture<Void> reported = new CompletableFuture<>();
    private final Thread thread;

    Run(
            Job job,
            String worker,
            @Nullable JobHandler handler,
            Function<Outcome, CompletableFuture<?>> reporter,
            Consumer<Run> over) {
        this.job = job;
        this.worker = worker;
        this.reporter = reporter;
        thread = Thread.ofVirtual().name("job-" + job.id()).unstarted(() -> {
            try {
                if (isLive()) decide(handler == null ? noHandler() : outcomeOf(handler));
                reported.join();
            } finally {
                over.accept(this);
            }
        });
    }

    void start(Alarms alarms) {
        Duration limit = job.timeout();
        if (limit != null) {
            var alarm = alarms.after(limit, () -> Thread.startVirtualThread(() -> timeOut(limit)));
            var unused = reported.thenRun(alarm::cancel);
        }
        thread.start();
    }

    /** Ends the run from outside, unless it has ended already. */
    void end(Outcome other) {
        if (decide(other)) thread.interrupt();
    }

    @Override
    public Job job() {
        return job;
    }

    @Override
    public String worker() {
        return worker;
    }

    @Override
    public boolean isLive() {
        return outcome.get() == null;
    }

    /** Whether its lease still matters: the handler runs, or the log has not answered what became of it. */
    boolean needsLease() {
        return !reported.isDone();
    }

    private void timeOut(Duration limit) {
        String message = "The handler did not finish within %d ms.".formatted(limit.toMillis());
        end(new Outcome.Failed(ErrorReport.of("timeout", message)));
    }

    private boolean decide(Outcome found) {
        if (!outcome.compareAndSet(null, found)) return false;
        var unused = reporter.apply(found).whenComplete((answer, failure) -> reported.complete(null));
        return true;
    }

    private Outcome noHandler() {
        String message = "This worker has no handler for jobs of type '%s'.".formatted(job.type());
        return new Outcome.Failed(new ErrorReport(
                "handler_not_found",
                "handler_not_found",
                message,
                false,
                new JsonOut().beginObject().endObject().toBytes()));
    }

    // Whatever a handler throws is an outcome: letting it through would leave the job to its lease's end.
    @SuppressWarnings("CatchingUnchecked")
    private Outcome outcomeOf(JobHandler handler) {
        try {
            Object result = handler.handle(this);
            // An interrupt that the handler left behind must not reach the report.
            Thread.interrupted();
            return succeeded(result);
        } catch (JobFailure failure) {
            return new Outcome.Failed(failure.report());
        } catch (Throwable failure) {
            return new Outcome.Failed(HandlerErrors.report(failure));
        }
    }

    private static Outcome succeeded(@Nullable Object result) throws JacksonException {
        if (result == null) return new Outcome.Succeeded(null);
        byte[] json = Json.MAPPER.writeValueAsBytes(result);
        if (json.length <= MAX_RESULT_BYTES) return new Outcome.Succeeded(json);
        String message = "The result has %d bytes; %d are allowed.".formatted(json.length, MAX_RESULT_BYTES);
        return new Outcome.Failed(
                JobFailure.permanent("result_too_large", message).report());
    }
}
