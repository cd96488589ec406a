package io.floodgate.topics.trace;

import io.floodgate.topics.job.TraceContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Spans as OJS names them (OJS distributed tracing §4 and §5), through the OpenTelemetry API: where no SDK and no agent is
 * set up, they cost nothing. Only clients, gateways and workers make spans; the processor makes none.
 */
public final class JobTracing {
    public static final AttributeKey<String> JOB_ID = AttributeKey.stringKey("ojs.job.id");
    public static final AttributeKey<String> JOB_TYPE = AttributeKey.stringKey("ojs.job.type");
    public static final AttributeKey<String> JOB_QUEUE = AttributeKey.stringKey("ojs.job.queue");
    public static final AttributeKey<Long> JOB_ATTEMPT = AttributeKey.longKey("ojs.job.attempt");
    public static final AttributeKey<Long> JOB_PRIORITY = AttributeKey.longKey("ojs.job.priority");
    public static final AttributeKey<String> JOB_STATE = AttributeKey.stringKey("ojs.job.state");
    public static final AttributeKey<Long> BATCH_SIZE = AttributeKey.longKey("messaging.batch.message_count");
    public static final AttributeKey<String> WORKER_ID = AttributeKey.stringKey("ojs.worker.id");
    public static final AttributeKey<String> WORKFLOW_ID = AttributeKey.stringKey("ojs.workflow.id");
    public static final AttributeKey<String> WORKFLOW_TYPE = AttributeKey.stringKey(TraceContext.WORKFLOW_TYPE);
    public static final AttributeKey<Long> WORKFLOW_STEP = AttributeKey.longKey(TraceContext.WORKFLOW_STEP);
    public static final AttributeKey<Long> ERROR_ATTEMPT = AttributeKey.longKey("ojs.job.error.attempt");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> BACKEND = AttributeKey.stringKey("ojs.backend.type");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    private static final AttributeKey<String> ERROR_MESSAGE = AttributeKey.stringKey("error.message");

    private static final AttributeKey<String> EXCEPTION_TYPE = AttributeKey.stringKey("exception.type");
    private static final AttributeKey<String> EXCEPTION_MESSAGE = AttributeKey.stringKey("exception.message");

    private static final String SCOPE = "io.floodgate";

    private final Tracer tracer;

    /** @param telemetry null for the one that the process has set up for all, if it has */
    public JobTracing(@Nullable OpenTelemetry telemetry) {
        tracer = (telemetry == null ? GlobalOpenTelemetry.getOrNoop() : telemetry).getTracer(SCOPE);
    }

    /** Whether spans go anywhere. */
    public boolean isOn() {
        return tracer.isEnabled();
    }

    /** The span of an operation, a child of the current one if nothing else is said. */
    public SpanBuilder span(String name, SpanKind kind) {
        return tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setAttribute(SYSTEM, "ojs")
                .setAttribute(BACKEND, "kafka");
    }

    /** The span of a producer or of a run, which is about this queue (OJS observability §7.1). */
    public SpanBuilder span(String queue, String operation, SpanKind kind) {
        return span(queue + " " + operation, kind)
                .setAttribute(JOB_QUEUE, queue)
                .setAttribute(DESTINATION, queue)
                .setAttribute(OPERATION, kind == SpanKind.CONSUMER ? "process" : "publish");
    }

    /** What a job carries, for a link or as a parent. */
    public static SpanContext spanContext(TraceContext context) {
        return Span.fromContext(parent(context)).getSpanContext();
    }

    /** A context whose spans are children of this one. */
    public static Context parent(TraceContext context) {
        return W3CTraceContextPropagator.getInstance().extract(Context.root(), context, JobTracing::field);
    }

    /** The same context with the baggage that a job carries. */
    public static Context withBaggage(Context context, TraceContext carried) {
        return W3CBaggagePropagator.getInstance().extract(context, carried, JobTracing::field);
    }

    /** What a job is to carry so that others find this span, with the baggage of the thread. */
    public static Optional<TraceContext> contextOf(Span span) {
        if (!span.getSpanContext().isValid()) return Optional.empty();
        Map<String, String> fields = new HashMap<>();
        W3CTraceContextPropagator.getInstance()
                .inject(Context.root().with(span), null, (none, name, value) -> fields.put(name, value));
        W3CBaggagePropagator.getInstance()
                .inject(Context.current(), null, (none, name, value) -> fields.put(name, value));
        return TraceContext.of(
                fields.get(TraceContext.TRACEPARENT),
                fields.get(TraceContext.TRACESTATE),
                fields.get(TraceContext.BAGGAGE));
    }

    /** The operation has failed (OJS distributed tracing §5.5). */
    public static void failed(Span span, String type, @Nullable String message) {
        String text = message == null ? "" : message;
        span.setAttribute(ERROR_TYPE, type).setAttribute(ERROR_MESSAGE, text).setStatus(StatusCode.ERROR, text);
        span.addEvent("exception", Attributes.of(EXCEPTION_TYPE, type, EXCEPTION_MESSAGE, text));
    }

    private static @Nullable String field(@Nullable TraceContext context, String name) {
        if (context == null) return null;
        return switch (name) {
            case TraceContext.TRACEPARENT -> context.traceparent();
            case TraceContext.TRACESTATE -> context.tracestate();
            case TraceContext.BAGGAGE -> context.baggage();
            default -> null;
        };
    }
}
