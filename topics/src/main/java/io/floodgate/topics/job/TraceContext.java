package io.floodgate.topics.job;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of the operation that has enqueued a job. It travels in the job's {@code meta}, from where its worker
 * takes it (OJS distributed tracing §6.1).
 */
public record TraceContext(String traceparent, @Nullable String tracestate) {
    public static final String TRACEPARENT = "traceparent";
    public static final String TRACESTATE = "tracestate";
    private static final String ORIGIN = "ojs.workflow.trace_origin";

    /** Version, trace, span, flags; later versions may go on behind them. */
    private static final Pattern FORM = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]{0,200})?");

    private static final Pattern STATE = Pattern.compile("[ -~]{1,512}");
    /** In bytes, more than a context ever takes: each character of its state may be escaped. */
    private static final int ROOM = 2_048;

    /** Nothing if these are no trace context: a trace that cannot be continued must not keep a job out. */
    public static Optional<TraceContext> of(@Nullable String traceparent, @Nullable String tracestate) {
        if (traceparent == null || !FORM.matcher(traceparent).matches()) return Optional.empty();
        boolean hasState = tracestate != null && STATE.matcher(tracestate).matches();
        return Optional.of(new TraceContext(traceparent, hasState ? tracestate : null));
    }

    /** The one in the meta of a job. */
    public static Optional<TraceContext> in(byte[] job) {
        MemberWalk members = new MemberWalk(job);
        while (members.next())
            if (members.nameIs("meta") && members.isObject())
                return of(text(members, TRACEPARENT), text(members, TRACESTATE));
        return Optional.empty();
    }

    private static @Nullable String text(MemberWalk job, String name) {
        MemberWalk meta = job.inside();
        while (meta.next()) if (meta.nameIs(name)) return meta.isText() ? meta.text() : null;
        return null;
    }

    public Envelope putInto(Envelope job) {
        return job.withMembers(putInto(job.members()));
    }

    /** The same for a step of a workflow, which says beside where its workflow comes from (OJS distributed tracing §6.3). */
    public Envelope putIntoStep(Envelope step) {
        return step.withMembers(putInto(step.members(), traceparent));
    }

    /**
     * A job with this context in its meta, unless it has one already, or there is no room for it.
     *
     * @param job in its canonical spelling, in which there always is a meta
     */
    public byte[] putInto(byte[] job) {
        return putInto(job, null);
    }

    private byte[] putInto(byte[] job, @Nullable String origin) {
        JsonOut out = new JsonOut(job.length + ROOM).beginObject();
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            if (!members.nameIs("meta")) {
                members.copyTo(out);
                continue;
            }
            byte[] meta = members.raw();
            if (meta.length + ROOM > EnvelopeReader.MAX_META_BYTES || text(members, TRACEPARENT) != null) return job;
            out.name("meta")
                    .beginObject()
                    .field(TRACEPARENT, traceparent)
                    .optional(TRACESTATE, tracestate)
                    .optional(ORIGIN, origin)
                    .members(meta)
                    .endObject();
        }
        byte[] with = out.endObject().toBytes();
        return with.length > EnvelopeReader.MAX_JOB_BYTES ? job : with;
    }
}
