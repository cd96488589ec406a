package io.floodgate.gateway;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Operation;
import io.floodgate.gateway.http.Route;
import io.floodgate.gateway.job.JobOrigin;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.trace.JobTracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A span for each request that takes a job in, hands it out, or ends it (OJS distributed tracing §7.1). */
final class RequestSpans {
    private static final Map<String, String> NAMES = Map.of(
            "job.enqueue", "ojs.enqueue",
            "job.enqueue_batch", "ojs.enqueue_batch",
            "job.enqueue_bulk", "ojs.enqueue_batch",
            "job.get", "ojs.get_job",
            "job.cancel", "ojs.cancel",
            "worker.fetch", "ojs.fetch",
            "worker.ack", "ojs.ack",
            "worker.nack", "ojs.nack",
            "workflow.create", "ojs.workflow.create");

    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final int FIRST_ERROR = 400;

    private RequestSpans() {}

    static List<Route> around(JobTracing tracing, List<Route> routes) {
        if (!tracing.isOn()) return routes;
        return routes.stream()
                .map(route -> NAMES.containsKey(route.name()) ? around(tracing, route) : route)
                .toList();
    }

    private static Route around(JobTracing tracing, Route route) {
        String name = NAMES.getOrDefault(route.name(), route.name());
        return route.with(call -> traced(tracing, name, route.operation(), call));
    }

    private static ApiResponse traced(JobTracing tracing, String name, Operation operation, Call call)
            throws CommandFailed, RejectedException, UnreadableJob {
        Span span = tracing.span(name, SpanKind.SERVER)
                .setParent(JobOrigin.traceOf(call).map(JobTracing::parent).orElse(Context.root()))
                .startSpan();
        try (Scope ignored = span.makeCurrent()) {
            ApiResponse answer = operation.handle(call);
            Optional<Integer> status = statusOf(answer);
            status.ifPresent(code -> span.setAttribute(STATUS, (long) code));
            if (status.isPresent() && status.get() >= FIRST_ERROR)
                JobTracing.failed(span, String.valueOf(status.get()), "");
            else span.setStatus(StatusCode.OK);
            return answer;
        } catch (RejectedException rejected) {
            JobTracing.failed(
                    span,
                    rejected.rejection().code().wire(),
                    rejected.rejection().message());
            throw rejected;
        } catch (UnreadableJob unreadable) {
            JobTracing.failed(
                    span,
                    unreadable.rejection().code().wire(),
                    unreadable.rejection().message());
            throw unreadable;
        } catch (CommandFailed | RuntimeException failure) {
            JobTracing.failed(span, failure.getClass().getName(), failure.getMessage());
            throw failure;
        } finally {
            span.end();
        }
    }

    private static Optional<Integer> statusOf(ApiResponse answer) {
        return switch (answer) {
            case ApiResponse.Whole whole -> Optional.of(whole.status().code());
            case ApiResponse.Empty empty -> Optional.of(empty.status().code());
            case ApiResponse.Streamed streamed -> Optional.empty();
        };
    }
}
