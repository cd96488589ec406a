package io.floodgate.worker;

import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.json.Timestamps;
import io.floodgate.topics.trace.JobTracing;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The spans of one run (OJS distributed tracing §7): {@code QUEUE process}, a trace of its own with a link to the enqueue, and in it how the
 * job waited for its retry and for a worker, what the handler does, and how the outcome was reported.
 */
final class RunSpans {
    /** Spans of a run without a handler, and of all runs where no traces are kept. */
    static final RunSpans NONE = new RunSpans(null, Span.getInvalid(), Attributes.empty(), null);

    private final @Nullable JobTracing tracing;
    private final Span process;
    private final Attributes job;
    private final @Nullable TraceContext carried;

    private RunSpans(@Nullable JobTracing tracing, Span process, Attributes job, @Nullable TraceContext carried) {
        this.tracing = tracing;
        this.process = process;
        this.job = job;
        this.carried = carried;
    }

    static RunSpans begin(JobTracing tracing, LeasedJob job, String worker) {
        if (!tracing.isOn()) return NONE;
        Attributes attributes = attributes(job, worker);
        SpanBuilder process =
                tracing.span(job.queue(), "process", SpanKind.CONSUMER).setNoParent();
        Optional<TraceContext> carried = carriedBy(job);
        carried.map(JobTracing::spanContext).ifPresent(process::addLink);
        RunSpans spans = new RunSpans(
                tracing, process.setAllAttributes(attributes).startSpan(), attributes, carried.orElse(null));
        spans.waited(job);
        return spans;
    }

    private static Optional<TraceContext> carriedBy(LeasedJob job) {
        JsonNode meta = job.json().path("meta");
        return TraceContext.of(
                meta.path(TraceContext.TRACEPARENT).stringValue(null),
                meta.path(TraceContext.TRACESTATE).stringValue(null),
                meta.path(TraceContext.BAGGAGE).stringValue(null));
    }

    private static Attributes attributes(LeasedJob job, String worker) {
        JsonNode json = job.json();
        AttributesBuilder all = Attributes.builder()
                .put(JobTracing.JOB_ID, job.id().toString())
                .put(JobTracing.JOB_TYPE, job.type())
                .put(JobTracing.JOB_QUEUE, job.queue())
                .put(JobTracing.JOB_ATTEMPT, job.attempt())
                .put(JobTracing.JOB_PRIORITY, json.path("priority").intValue(0))
                .put(JobTracing.WORKER_ID, worker);
        String workflow = json.path("workflow_id").stringValue(null);
        if (workflow != null) all.put(JobTracing.WORKFLOW_ID, workflow);
        JsonNode meta = json.path("meta");
        String type = meta.path(TraceContext.WORKFLOW_TYPE).stringValue(null);
        JsonNode step = meta.path(TraceContext.WORKFLOW_STEP);
        if (workflow != null && type != null) all.put(JobTracing.WORKFLOW_TYPE, type);
        if (workflow != null && step.isIntegralNumber()) all.put(JobTracing.WORKFLOW_STEP, step.longValue(0));
        return all.build();
    }

    /** Known only now, and made with the times at which it was: a producer's trace does not stay open for a job that waits for days. */
    private void waited(LeasedJob job) {
        Instant started = time(job, "started_at");
        if (started == null) return;
        Instant available = Stream.of("enqueued_at", "activated_at", "re_enqueued_at")
                .map(name -> time(job, name))
                .filter(time -> time != null && !time.isAfter(started))
                .max(Instant::compareTo)
                .orElse(started);
        long delay = job.json().path("retry_delay_ms").longValue(0);
        if (job.attempt() > 1 && delay > 0) wait("ojs.retry", available.minusMillis(delay), available);
        wait("ojs.wait", available, started);
    }

    private void wait(String name, Instant from, Instant to) {
        child(name, SpanKind.INTERNAL).setStartTimestamp(from).startSpan().end(to);
    }

    private static @Nullable Instant time(LeasedJob job, String name) {
        String time = job.json().path(name).stringValue(null);
        return time == null ? null : Timestamps.parse(time).orElse(null);
    }

    private SpanBuilder child(String name, SpanKind kind) {
        if (tracing == null) throw new IllegalStateException("no traces are kept");
        return tracing.span(name, kind).setParent(Context.root().with(process)).setAllAttributes(job);
    }

    /**
     * Returns the context for the handler's thread: what the handler does becomes part of the trace, and has the
     * baggage of the enqueue.
     */
    Context context() {
        Context context = Context.current().with(process);
        return carried == null ? context : JobTracing.withBaggage(context, carried);
    }

    void ended(RunOutcome outcome) {
        if (tracing == null) return;
        switch (outcome) {
            case RunOutcome.Succeeded succeeded -> process.setStatus(StatusCode.OK);
            case RunOutcome.Cancelled cancelled ->
                process.setStatus(StatusCode.OK).setAttribute(JobTracing.JOB_STATE, "cancelled");
            case RunOutcome.Failed failed -> failed(process, failed);
            case RunOutcome.GivenBack back -> process.addEvent(back.code());
            case RunOutcome.LeaseLost lost ->
                JobTracing.failed(process, "lease_lost", "The lease ended before the handler did.");
        }
        process.end();
    }

    private void failed(Span span, RunOutcome.Failed failed) {
        JobTracing.failed(span, failed.error().type(), failed.error().message());
        Long attempt = job.get(JobTracing.JOB_ATTEMPT);
        if (attempt != null) span.setAttribute(JobTracing.ERROR_ATTEMPT, attempt);
    }

    /** The report of how it ended, until its partition has answered. */
    Report reporting(RunOutcome outcome) {
        if (tracing == null) return Report.NONE;
        return switch (outcome) {
            case RunOutcome.Succeeded succeeded -> report("ojs.ack");
            case RunOutcome.Failed failed -> report("ojs.nack");
            case RunOutcome.GivenBack back -> report("ojs.nack");
            case RunOutcome.LeaseLost lost -> Report.NONE;
            case RunOutcome.Cancelled cancelled -> Report.NONE;
        };
    }

    private Report report(String name) {
        return new Report(child(name, SpanKind.CLIENT).startSpan());
    }

    record Report(Span span) {
        private static final Report NONE = new Report(Span.getInvalid());

        void answered(@Nullable Rejection rejection) {
            if (rejection == null) span.setStatus(StatusCode.OK);
            else JobTracing.failed(span, rejection.code().wire(), rejection.message());
            span.end();
        }
    }
}
