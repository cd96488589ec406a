package io.floodgate.topics.job;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a submitted job in any spelling OJS clients use and checks it (OJS core §5). Gateways and processors read with
 * the same rules: a job that a plain Kafka client produced is held to what HTTP would have refused.
 */
public final class EnvelopeReader {
    /** The largest job, in bytes of JSON. */
    public static final int MAX_JOB_BYTES = 1024 * 1024;

    public static final int MAX_META_BYTES = 64 * 1024;
    public static final int MAX_PRIORITY = 100;

    private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9_\\-]*(\\.[a-z][a-z0-9_\\-]*)*");
    private static final Pattern QUEUE = Pattern.compile("[a-z0-9][a-z0-9\\-.]*");
    private static final Duration LONGEST_TIMEOUT = Durations.LONGEST;

    /** Set by the system; what a client says about them is not looked at (OJS core §5.3). */
    private static final Set<String> SYSTEM = Set.of(
            "state",
            "attempt",
            "created_at",
            "enqueued_at",
            "started_at",
            "completed_at",
            "cancelled_at",
            "discarded_at",
            "activated_at",
            "re_enqueued_at",
            "next_attempt_at",
            "next_retry_at",
            "retry_delay_ms",
            "previous_state",
            "worker_id",
            "lease",
            "error",
            "errors",
            "result",
            "parent_results");

    /** Understood here and shown, if at all, in canonical form. */
    private static final Set<String> KNOWN = Set.of(
            "specversion",
            "version",
            "id",
            "type",
            "args",
            "meta",
            "options",
            "queue",
            "priority",
            "timeout_ms",
            "timeout",
            "scheduled_at",
            "delay_until",
            "delay",
            "expires_at",
            "enqueue_ttl",
            "ttl",
            "retry",
            "retry_policy",
            "max_attempts",
            "visibility_timeout_ms",
            "visibility_timeout",
            "tags",
            "unique",
            "rate_limit",
            "schema",
            "pending",
            "on_worker_lost");

    private final TopLevel job;
    private final @Nullable JsonNode options;

    private EnvelopeReader(TopLevel job) throws UnreadableJob {
        this.job = job;
        this.options = object("options");
    }

    public static Envelope read(byte[] json) throws UnreadableJob {
        if (json.length > MAX_JOB_BYTES)
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.ENVELOPE_TOO_LARGE,
                            "The job has %d bytes; at most %d are accepted.".formatted(json.length, MAX_JOB_BYTES))
                    .with("size_bytes", json.length)
                    .with("max_envelope_bytes", MAX_JOB_BYTES));
        return new EnvelopeReader(TopLevel.of(json)).read();
    }

    /** Whether a queue may have this name. */
    public static boolean isQueueName(String name) {
        return name.length() <= 128 && QUEUE.matcher(name).matches();
    }

    private Envelope read() throws UnreadableJob {
        JobId id = id();
        String type = type();
        if (!job.has("args")) throw UnreadableJob.required("args");
        if (!job.isArray("args"))
            throw new UnreadableJob(Refusal.of(ErrorCode.INVALID_ARGS, "The 'args' field must be a JSON array.")
                    .with("field", "args")
                    .with("expected", "array"));
        String queue = queue();
        Duration timeout = length("timeout_ms", "timeout");
        Duration visibility = length("visibility_timeout_ms", "visibility_timeout");
        JsonNode meta = meta();
        When expiresAt = expiresAt();
        Terms terms = new Terms(
                scheduledAt(),
                expiresAt,
                timeout,
                visibility,
                retry(),
                flag("pending"),
                onWorkerLost(),
                testDirective(meta));
        byte[] members = members(type, meta, timeout, visibility, expiresAt);
        return new Envelope(id, type, queue, priority(), members, terms);
    }

    private byte[] members(
            String type,
            @Nullable JsonNode meta,
            @Nullable Duration timeout,
            @Nullable Duration visibility,
            @Nullable When expiresAt)
            throws UnreadableJob {
        JsonOut out = new JsonOut(job.size() + 64)
                .beginObject()
                .field("specversion", specversion())
                .field("type", type);
        job.copy("args", out);
        if (meta == null) out.name("meta").beginObject().endObject();
        else out.fieldRaw("meta", metaJson(meta));
        if (timeout != null) out.field("timeout_ms", timeout.toMillis());
        // JavaScript workers read 'timeout' as milliseconds, the specification as seconds: shown only as it was sent.
        if (job.has("timeout")) job.copy("timeout", out);
        if (visibility != null) out.field("visibility_timeout_ms", visibility.toMillis());
        if (expiresAt != null && !expiresAt.isRelative()) out.field("expires_at", expiresAtText(expiresAt));
        verbatim("tags", out);
        verbatim("unique", out);
        verbatim("rate_limit", out);
        verbatim("schema", out);
        if (onWorkerLost()) out.field("on_worker_lost", "discard");
        for (String name : job.names()) {
            if (!KNOWN.contains(name) && !SYSTEM.contains(name) && !job.isNull(name)) job.copy(name, out);
        }
        return out.endObject().toBytes();
    }

    private @Nullable JobId id() throws UnreadableJob {
        JsonNode node = job.value("id");
        if (node == null) return null;
        Optional<JobId> id = node.isString() ? JobId.parse(node.stringValue()) : Optional.empty();
        return id.orElseThrow(() -> UnreadableJob.field("id", "The 'id' field must be a lower-case UUIDv7."));
    }

    private String type() throws UnreadableJob {
        JsonNode node = job.value("type");
        if (node == null) throw UnreadableJob.required("type");
        String type = node.isString() ? node.stringValue() : "";
        if (type.length() > 255 || !TYPE.matcher(type).matches())
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.INVALID_JOB_TYPE,
                            "The 'type' field must be dot-separated lower-case words such as email.send, of at most 255 characters.")
                    .with("field", "type"));
        return type;
    }

    private String queue() throws UnreadableJob {
        JsonNode node = find("queue");
        if (node == null) return "default";
        String queue = node.isString() ? node.stringValue() : "";
        if (!isQueueName(queue))
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.INVALID_QUEUE,
                            "The 'queue' field must be lower-case letters, digits, hyphens and dots, at most 128, beginning with a letter or digit.")
                    .with("field", "queue"));
        return queue;
    }

    private int priority() throws UnreadableJob {
        JsonNode node = find("priority");
        if (node == null) return 0;
        if (!node.isIntegralNumber() || !node.canConvertToInt() || Math.abs((long) node.intValue()) > MAX_PRIORITY)
            throw UnreadableJob.field(
                    "priority",
                    "The 'priority' field must be an integer from -%d to %d.".formatted(MAX_PRIORITY, MAX_PRIORITY));
        return node.intValue();
    }

    private String specversion() throws UnreadableJob {
        JsonNode node = job.value("specversion");
        if (node == null) node = job.value("version");
        if (node == null) return "1.0";
        if (!node.isString() || !node.stringValue().matches("[0-9][0-9a-z.\\-]{0,19}"))
            throw UnreadableJob.field("specversion", "The 'specversion' field must be a version such as \"1.0\".");
        return node.stringValue();
    }

    private @Nullable JsonNode meta() throws UnreadableJob {
        JsonNode top = object("meta");
        JsonNode extra = options == null ? null : option("metadata");
        if (extra == null && options != null) extra = option("meta");
        if (extra == null) return top;
        if (!extra.isObject()) throw UnreadableJob.field("meta", "The 'meta' field must be an object.");
        if (top == null) return extra;
        var merged = ((tools.jackson.databind.node.ObjectNode) extra).deepCopy();
        merged.setAll((tools.jackson.databind.node.ObjectNode) top);
        return merged;
    }

    private static byte[] metaJson(JsonNode meta) throws UnreadableJob {
        byte[] json = io.floodgate.topics.json.Json.bytes(meta);
        if (json.length > MAX_META_BYTES)
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.METADATA_TOO_LARGE,
                            "The 'meta' field has %d bytes; at most %d are accepted."
                                    .formatted(json.length, MAX_META_BYTES))
                    .with("field", "meta"));
        return json;
    }

    private static @Nullable String testDirective(@Nullable JsonNode meta) {
        JsonNode node = meta == null ? null : meta.get("test_directive");
        if (node == null || !node.isString()) return null;
        String directive = node.stringValue();
        return directive.equals("quiet") || directive.equals("terminate") ? directive : null;
    }

    private @Nullable When scheduledAt() throws UnreadableJob {
        When at = when("delay_until");
        if (at == null) at = when("scheduled_at");
        if (at != null) return at;
        JsonNode delay = find("delay");
        return delay == null ? null : When.after(duration("delay", delay));
    }

    private @Nullable When expiresAt() throws UnreadableJob {
        When at = when("expires_at");
        if (at != null) return at;
        JsonNode ttl = find("enqueue_ttl");
        if (ttl == null) ttl = find("ttl");
        return ttl == null ? null : When.after(duration("enqueue_ttl", ttl));
    }

    private @Nullable When when(String name) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return null;
        Optional<When> time = node.isString() ? When.parse(node.stringValue()) : Optional.empty();
        return time.orElseThrow(() -> UnreadableJob.field(
                name, "The '%s' field must be an RFC 3339 time or a duration such as +PT5S.".formatted(name)));
    }

    private String expiresAtText(When expiresAt) {
        JsonNode node = find("expires_at");
        return node == null ? expiresAt.wire() : node.stringValue();
    }

    /** A length given in milliseconds under one name, in seconds or ISO 8601 under the other. */
    private @Nullable Duration length(String millisName, String otherName) throws UnreadableJob {
        JsonNode millis = find(millisName);
        if (millis != null) {
            if (!millis.isIntegralNumber() || !millis.canConvertToLong())
                throw UnreadableJob.field(millisName, "The '%s' field must be an integer.".formatted(millisName));
            return positive(millisName, millis.longValue());
        }
        JsonNode other = find(otherName);
        return other == null
                ? null
                : positive(otherName, duration(otherName, other).toMillis());
    }

    private static Duration positive(String name, long millis) throws UnreadableJob {
        if (millis <= 0 || millis > LONGEST_TIMEOUT.toMillis())
            throw UnreadableJob.field(name, "The '%s' field must be more than zero.".formatted(name));
        return Duration.ofMillis(millis);
    }

    /** Seconds, or any spelling of a duration. */
    private static Duration duration(String name, JsonNode node) throws UnreadableJob {
        if (node.isNumber() && node.doubleValue() >= 0 && node.doubleValue() <= LONGEST_TIMEOUT.toSeconds())
            return Duration.ofMillis((long) (node.doubleValue() * 1000));
        Optional<Duration> parsed = node.isString() ? Durations.parse(node.stringValue()) : Optional.empty();
        return parsed.orElseThrow(() -> UnreadableJob.field(
                name, "The '%s' field must be seconds or an ISO 8601 duration such as PT30S.".formatted(name)));
    }

    private RetryOptions retry() throws UnreadableJob {
        JsonNode node = find("retry");
        if (node == null) node = find("retry_policy");
        if (node != null) return RetryOptions.read(node);
        JsonNode attempts = find("max_attempts");
        if (attempts == null) return RetryOptions.NONE;
        if (!attempts.isIntegralNumber() || !attempts.canConvertToInt() || attempts.intValue() < 0)
            throw UnreadableJob.retry("max_attempts", "retry 'max_attempts' must be an integer of 0 or more");
        return RetryOptions.ofMaxAttempts(attempts.intValue());
    }

    private boolean flag(String name) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return false;
        if (!node.isBoolean()) throw UnreadableJob.field(name, "The '%s' field must be true or false.".formatted(name));
        return node.booleanValue();
    }

    private boolean onWorkerLost() throws UnreadableJob {
        JsonNode node = find("on_worker_lost");
        String text = node == null ? "retry" : node.isString() ? node.stringValue() : "";
        return switch (text) {
            case "retry" -> false;
            case "discard" -> true;
            default ->
                throw UnreadableJob.field("on_worker_lost", "The 'on_worker_lost' field must be retry or discard.");
        };
    }

    /** Checked for its JSON type only, and shown as sent. */
    private void verbatim(String name, JsonOut out) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return;
        boolean fits = switch (name) {
            case "tags" -> node.isArray() && node.valueStream().allMatch(JsonNode::isString);
            case "schema" -> node.isString();
            default -> node.isObject();
        };
        if (!fits)
            throw UnreadableJob.field(
                    name,
                    switch (name) {
                        case "tags" -> "The 'tags' field must be a list of strings.";
                        case "schema" -> "The 'schema' field must be a string.";
                        default -> "The '%s' field must be an object.".formatted(name);
                    });
        out.fieldRaw(name, io.floodgate.topics.json.Json.bytes(node));
    }

    /** The option of this name; else the top-level field. Null in either counts as absent. */
    private @Nullable JsonNode find(String name) {
        JsonNode option = options == null ? null : option(name);
        return option != null ? option : job.value(name);
    }

    private @Nullable JsonNode option(String name) {
        JsonNode node = options == null ? null : options.get(name);
        return node == null || node.isNull() ? null : node;
    }

    private @Nullable JsonNode object(String name) throws UnreadableJob {
        JsonNode node = job.value(name);
        if (node != null && !node.isObject())
            throw UnreadableJob.field(name, "The '%s' field must be an object.".formatted(name));
        return node;
    }
}
