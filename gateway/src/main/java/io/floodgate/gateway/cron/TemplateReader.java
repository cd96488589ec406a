package io.floodgate.gateway.cron;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.cron.OverlapPolicy;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.job.When;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.retry.RetryOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the template for the jobs of a schedule: checked like a job that is enqueued. */
final class TemplateReader {
    /** Members of a job that may stand beside its options. */
    private static final List<String> BESIDE = List.of(
            "queue",
            "priority",
            "timeout",
            "timeout_ms",
            "retry",
            "tags",
            "rate_limit",
            "order_key",
            "schema",
            "ttl",
            "version");

    private static final Set<String> KNOWN = Stream.concat(
                    BESIDE.stream(), Stream.of("type", "args", "options", "meta"))
            .collect(Collectors.toSet());

    /** Members of meta that each run has of its own. */
    private static final Set<String> OF_A_RUN = Set.of("cron_name", "cron_triggered_at", "cron_scheduled_at");

    private static final byte[] NOTHING = {'{', '}'};
    private static final byte[] NO_ARGS = {'[', ']'};

    private TemplateReader() {}

    /** Rejects unknown fields: a misspelled option would change what runs, and where. */
    static void check(RequestFields template) throws RejectedException {
        template.only(KNOWN);
        if (!(template.tree("options") instanceof ObjectNode)) return;
        RequestFields options = template.object("options").only(EnvelopeReader.OPTIONS);
        if (!(options.tree("retry") instanceof ObjectNode)) return;
        RequestFields retry = options.object("retry");
        for (String name : retry.names())
            if (RetryOptions.nameOf(name).isEmpty()) throw retry.unknown(name, RetryOptions.NAMES);
    }

    static JobTemplate read(String name, RequestFields template, OverlapPolicy overlap, Call call)
            throws RejectedException {
        JsonNode given = template.tree("options");
        ObjectNode options = given instanceof ObjectNode object ? object.deepCopy() : null;
        if (given != null && options == null) throw template.fault("options", "'options' must be an object.");
        byte[] inOptions = options == null || !(options.remove("meta") instanceof ObjectNode)
                ? null
                : meta(template.object("options"));
        byte[] meta = template.has("meta") ? meta(template) : inOptions;
        byte[] args = template.has("args") ? template.raw("args") : NO_ARGS;
        String type = template.requiredText("type");

        JsonOut shown = JsonOut.object().field("type", type).fieldRaw("args", args == null ? NO_ARGS : args);
        if (options != null && !options.isEmpty()) shown.fieldRaw("options", bytes(options));
        if (meta != null) shown.fieldRaw("meta", meta);
        JsonOut job = JsonOut.object().field("type", type).fieldRaw("args", args == null ? NO_ARGS : args);
        for (String beside : BESIDE) {
            byte[] value = template.raw(beside);
            if (value == null) continue;
            shown.fieldRaw(beside, value);
            job.fieldRaw(beside, value);
        }
        if (overlap == OverlapPolicy.ENQUEUE) options = oneAtATime(name, options, template);
        if (options != null && !options.isEmpty()) job.fieldRaw("options", bytes(options));
        byte[] withMeta = JsonOut.object()
                .members(job.endObject().toBytes())
                .fieldRaw("meta", meta == null ? NOTHING : meta)
                .endObject()
                .toBytes();
        byte[] shownJson = shown.endObject().toBytes();
        if (shownJson.length > ScheduleSpec.MOST_TEMPLATE_BYTES)
            throw new RejectedException(Rejection.of(
                    ErrorCode.ENVELOPE_TOO_LARGE,
                    "The template of a job has %d bytes at most.".formatted(ScheduleSpec.MOST_TEMPLATE_BYTES)));
        return checked(job.toBytes(), withMeta, shownJson, call);
    }

    private static byte[] bytes(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] meta(RequestFields from) throws RejectedException {
        JsonNode meta = from.tree("meta");
        if (meta == null) return null;
        if (!(meta instanceof ObjectNode object)) throw from.fault("meta", "'meta' must be an object.");
        boolean isPlain = OF_A_RUN.stream().noneMatch(object::has);
        byte[] raw = from.raw("meta");
        if (isPlain && raw != null) return raw;
        ObjectNode rest = object.deepCopy();
        OF_A_RUN.forEach(rest::remove);
        return bytes(rest);
    }

    /** A run waits in its queue until the one before it has ended. */
    private static ObjectNode oneAtATime(String name, @Nullable ObjectNode options, RequestFields template)
            throws RejectedException {
        if (template.has("rate_limit") || (options != null && options.has("rate_limit")))
            throw new RejectedException(Rejection.of(
                            ErrorCode.UNSUPPORTED,
                            "With the overlap policy 'enqueue' the jobs of a schedule are limited to one at a time, so that they cannot have another rate limit.")
                    .with("field", "rate_limit"));
        ObjectNode limited = options == null ? JsonNodeFactory.instance.objectNode() : options.deepCopy();
        limited.putObject("rate_limit").put("key", limitKey(name)).put("concurrency", 1);
        return limited;
    }

    /** The key of a limit is shorter than the name of a schedule can be. */
    static String limitKey(String name) {
        String key = "cron:" + name;
        return RateLimit.isName(key) ? key : "cron:" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    private static JobTemplate checked(byte[] job, byte[] withMeta, byte[] shown, Call call) throws RejectedException {
        try {
            Optional<Tenant> tenant = Tenant.of(call);
            byte[] whole = tenant.isPresent() ? tenant.get().putInto(withMeta) : withMeta;
            Envelope envelope = EnvelopeReader.read(whole);
            call.caller().mustUse(envelope.queue());
            if (envelope.terms().unique() != null)
                throw wrong(
                        "unique",
                        "The jobs of a schedule cannot be unique: its overlap policy says what becomes of a second one.");
            if (envelope.terms().scheduledAt() != null)
                throw wrong("scheduled_at", "The jobs of a schedule are run when they are due, and not later.");
            When expiry = envelope.terms().expiresAt();
            if (expiry != null && !expiry.isRelative())
                throw wrong(
                        "expires_at",
                        "All runs after this time would be discarded. Say with 'ttl' how long a run may wait.");
            if (envelope.terms().pending())
                throw wrong("pending", "The jobs of a schedule cannot wait to be activated.");
            byte[] meta = Members.of(whole).raw("meta");
            return JobTemplate.of(withoutMeta(EnvelopeReader.read(job).toJson()), meta == null ? NOTHING : meta, shown);
        } catch (UnreadableJob unreadable) {
            throw new RejectedException(unreadable.rejection());
        } catch (MalformedJson impossible) {
            throw RequestFields.invalid(impossible);
        }
    }

    /** Returns the job without its meta, since each run has its own. */
    private static byte[] withoutMeta(byte[] job) throws MalformedJson {
        Members members = Members.of(job);
        JsonOut out = JsonOut.object(job.length);
        for (String name : members.names()) if (!name.equals("meta")) members.copy(name, out);
        return out.endObject().toBytes();
    }

    private static RejectedException wrong(String field, String message) {
        return new RejectedException(
                Rejection.of(ErrorCode.UNSUPPORTED, message).with("field", field));
    }
}
