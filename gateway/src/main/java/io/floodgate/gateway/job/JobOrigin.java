package io.floodgate.gateway.job;

import io.floodgate.gateway.http.Call;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.TraceContext;
import io.floodgate.topics.job.TraceContext.StepPlace;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.trace.JobTracing;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.opentelemetry.api.trace.Span;
import java.util.Optional;

/** The origin of all jobs of a request: their tenant, and the trace of which they are part. */
public record JobOrigin(Optional<Tenant> tenant, Optional<TraceContext> trace) {
    private static final HeaderName TRACEPARENT = HeaderNames.create(TraceContext.TRACEPARENT);
    private static final HeaderName TRACESTATE = HeaderNames.create(TraceContext.TRACESTATE);
    private static final HeaderName BAGGAGE = HeaderNames.create(TraceContext.BAGGAGE);

    public static JobOrigin of(Call call) throws RejectedException {
        Optional<TraceContext> named = traceOf(call);
        return new JobOrigin(Tenant.of(call), named.isPresent() ? named : JobTracing.contextOf(Span.current()));
    }

    /** The trace of the caller. */
    public static Optional<TraceContext> traceOf(Call call) {
        return TraceContext.of(call.header(TRACEPARENT), call.header(TRACESTATE), call.header(BAGGAGE));
    }

    Envelope read(byte[] job) throws UnreadableJob, RejectedException {
        Envelope read = EnvelopeReader.read(tenant.isPresent() ? tenant.get().putInto(job) : job);
        return trace.isPresent() ? trace.get().putInto(read) : read;
    }

    /** Returns whether it has anything to add to a step of a workflow. */
    public boolean completes() {
        return tenant.isPresent() || trace.isPresent();
    }

    /** A step of a workflow, with the tenant and the trace in it. */
    public byte[] complete(byte[] step, StepPlace place) throws UnreadableJob {
        byte[] owned;
        try {
            owned = tenant.isPresent() ? tenant.get().putInto(step) : step;
        } catch (RejectedException rejected) {
            throw new UnreadableJob(rejected.rejection());
        }
        if (trace.isEmpty()) return owned;
        return trace.get().putIntoStep(EnvelopeReader.read(owned), place).toJson();
    }
}
