package io.floodgate.topics.job;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of the operation that has enqueued a job, and the W3C baggage beside it. They travel in the job's {@code meta}, from where
 * its worker takes them (OJS distributed tracing §6.1 and §9).
 */
public record TraceContext(
        String traceparent,
        @Nullable String tracestate,
        @Nullable String baggage) {
    public static final String TRACEPARENT = "traceparent";
    public static final String TRACESTATE = "tracestate";
    public static final String BAGGAGE = "baggage";
    public static final String WORKFLOW_TYPE = "ojs.workflow.type";
    public static final String WORKFLOW_STEP = "ojs.workflow.step";
    private static final String ORIGIN = "ojs.workflow.trace_origin";

    /** Version, trace, span, flags; later versions may go on behind them. */
    private static final Pattern FORM = Pattern.compile(
            "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[ -~]{0,200})?");

    private static final Pattern STATE = Pattern.compile("[ -~]{1,512}");
    private static final Pattern ENTRIES = Pattern.compile("[ -~]+");
    /** Most characters of the baggage of a job, as W3C bounds it (OJS distributed tracing §9.3). */
    private static final int MAX_BAGGAGE = 8_192;
    /** Bytes that a context never exceeds without baggage: each character of its state may be escaped. */
    private static final int ROOM = 2_048;

    /**
     * The step of its workflow that a job is.
     *
     * @param type of the chain, group or batch that it is in
     * @param step its place there, from 0; null if it is not known
     */
    public record StepPlace(String type, @Nullable Integer step) {
        /** A job that is added to a batch. */
        public static final StepPlace ADDED = new StepPlace("batch", null);
    }

    /**
     * Returns the trace context; nothing if these are none: a trace that cannot be continued must not keep a job out.
     */
    public static Optional<TraceContext> of(
            @Nullable String traceparent, @Nullable String tracestate, @Nullable String baggage) {
        if (traceparent == null || !FORM.matcher(traceparent).matches()) return Optional.empty();
        boolean hasState = tracestate != null && STATE.matcher(tracestate).matches();
        return Optional.of(new TraceContext(traceparent, hasState ? tracestate : null, whole(baggage)));
    }

    /** Returns as many entries as may travel, from the first one on; null for none. */
    private static @Nullable String whole(@Nullable String baggage) {
        if (baggage == null || !ENTRIES.matcher(baggage).matches()) return null;
        if (baggage.length() <= MAX_BAGGAGE) return baggage;
        int end = baggage.lastIndexOf(',', MAX_BAGGAGE);
        return end <= 0 ? null : baggage.substring(0, end);
    }

    /** The one in the meta of a job. */
    public static Optional<TraceContext> in(byte[] job) {
        MemberWalk members = new MemberWalk(job);
        while (members.next())
            if (members.nameIs("meta") && members.isObject())
                return of(text(members, TRACEPARENT), text(members, TRACESTATE), text(members, BAGGAGE));
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

    /** The same for a step of a workflow, which says beside where its workflow comes from, and which step it is (OJS distributed tracing §5.3 and §6.3). */
    public Envelope putIntoStep(Envelope step, StepPlace place) {
        return step.withMembers(putInto(step.members(), place));
    }

    /**
     * A job with this context in its meta, unless it has one already, or there is no room for it.
     *
     * @param job in its canonical spelling, in which there always is a meta
     */
    public byte[] putInto(byte[] job) {
        return putInto(job, null);
    }

    private byte[] putInto(byte[] job, @Nullable StepPlace place) {
        byte[] with = putInto(job, place, baggage);
        // Then it is as it was, and there may be room for the trace alone.
        return with.length == job.length && baggage != null ? putInto(job, place, null) : with;
    }

    private byte[] putInto(byte[] job, @Nullable StepPlace place, @Nullable String entries) {
        int room = ROOM + (entries == null ? 0 : 2 * entries.length());
        JsonOut out = JsonOut.object(job.length + room);
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            if (!members.nameIs("meta")) {
                members.copyTo(out);
                continue;
            }
            byte[] meta = members.raw();
            if (meta.length + room > EnvelopeReader.MAX_META_BYTES || text(members, TRACEPARENT) != null) return job;
            out.beginObject("meta")
                    .field(TRACEPARENT, traceparent)
                    .optional(TRACESTATE, tracestate)
                    .optional(BAGGAGE, text(members, BAGGAGE) == null ? entries : null);
            if (place != null) out.field(ORIGIN, traceparent).field(WORKFLOW_TYPE, place.type());
            if (place != null && place.step() != null) out.field(WORKFLOW_STEP, place.step());
            out.members(meta).endObject();
        }
        byte[] with = out.endObject().toBytes();
        return with.length > EnvelopeReader.MAX_JOB_BYTES ? job : with;
    }
}
