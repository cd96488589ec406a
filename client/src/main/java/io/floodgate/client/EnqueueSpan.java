package io.floodgate.client;

import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.trace.JobTracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The span of an enqueue, to which the jobs carry the way: their workers link to it (OJS distributed tracing §6.1). */
final class EnqueueSpan {
    private final Span span;
    private final Optional<TraceContext> carried;

    private EnqueueSpan(Span span) {
        this.span = span;
        carried = JobTracing.contextOf(span);
    }

    /** @param jobs to store together, or one */
    static EnqueueSpan begin(JobTracing tracing, List<OutgoingJob> jobs) {
        // Without an SDK, the span of the caller goes on with the job, if there is one.
        if (!tracing.isOn()) return new EnqueueSpan(Span.current());
        OutgoingJob first = jobs.getFirst();
        boolean isBatch = jobs.size() > 1;
        SpanBuilder span = tracing.span(first.queue(), isBatch ? "enqueue_batch" : "enqueue", SpanKind.PRODUCER)
                .setAttribute(JobTracing.JOB_ID, first.id().toString())
                .setAttribute(JobTracing.JOB_TYPE, first.type());
        if (isBatch) span.setAttribute(JobTracing.BATCH_SIZE, (long) jobs.size());
        return new EnqueueSpan(span.startSpan());
    }

    List<OutgoingJob> putInto(List<OutgoingJob> jobs) {
        return carried.isEmpty() ? jobs : jobs.stream().map(this::putInto).toList();
    }

    OutgoingJob putInto(OutgoingJob job) {
        return carried.isEmpty() ? job : job.with(carried.get());
    }

    void ended(@Nullable Throwable failure) {
        Throwable why = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        if (why == null) span.setStatus(StatusCode.OK);
        else if (why instanceof EnqueueFailed failed) JobTracing.failed(span, failed.code(), failed.getMessage());
        else JobTracing.failed(span, why.getClass().getName(), why.getMessage());
        span.end();
    }
}
