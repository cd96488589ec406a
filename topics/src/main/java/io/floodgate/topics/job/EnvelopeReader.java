package io.floodgate.topics.job;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads a submitted job in any spelling OJS clients use and checks it (OJS core §5). Gateways and processors read with
 * the same rules: a job that a plain Kafka client produced is held to what HTTP would have refused.
 */
public final class EnvelopeReader {
    /** The largest job, in bytes of JSON. */
    public static final int MAX_JOB_BYTES = 1024 * 1024;

    public static final int MAX_META_BYTES = 64 * 1024;

    private static final int TYPE_CHARS = 255;
    private static final int QUEUE_NAME_CHARS = 128;
    private static final Pattern VERSION = Pattern.compile("[0-9][0-9a-z.\\-]{0,19}");
    private static final Duration LONGEST_TIMEOUT = Durations.LONGEST;

    private static final String TEST_DIRECTIVE = "test_directive";

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
            "progress",
            "last_checkpoint",
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

    private final Members job;
    private final int size;
    private final @Nullable Members options;

    private EnvelopeReader(Members job, int size) throws UnreadableJob, MalformedJson {
        this.job = job;
        this.size = size;
        this.options = object("options");
    }

    public static Envelope read(byte[] json) throws UnreadableJob {
        if (json.length > 2 * MAX_JOB_BYTES) throw tooLarge(json.length);
        try {
            return new EnvelopeReader(Members.submitted(json), json.length).read();
        } catch (MalformedJson malformed) {
            Refusal refusal = Refusal.of(ErrorCode.INVALID_PAYLOAD, malformed.getMessage());
            throw new UnreadableJob(malformed.field() == null ? refusal : refusal.with("field", malformed.field()));
        } catch (JacksonException unreasonable) {
            throw new UnreadableJob(Refusal.of(
                    ErrorCode.INVALID_PAYLOAD, "The job cannot be read: " + unreasonable.getOriginalMessage()));
        }
    }

    private static UnreadableJob tooLarge(int size) {
        return new UnreadableJob(Refusal.of(
                        ErrorCode.ENVELOPE_TOO_LARGE,
                        "The job has %d bytes; at most %d are accepted.".formatted(size, MAX_JOB_BYTES))
                .with("size_bytes", size)
                .with("max_envelope_bytes", MAX_JOB_BYTES));
    }

    /** Whether a queue may have this name: lower-case letters, digits, hyphens and dots, beginning with a letter or digit. */
    public static boolean isQueueName(String name) {
        if (name.isEmpty() || name.length() > QUEUE_NAME_CHARS || !isLetterOrDigit(name.charAt(0))) return false;
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetterOrDigit(c) && c != '-' && c != '.') return false;
        }
        return true;
    }

    private static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    private Envelope read() throws UnreadableJob, MalformedJson {
        JobId id = id();
        String type = type();
        if (!job.has("args")) throw UnreadableJob.required("args");
        if (!job.isArray("args"))
            throw new UnreadableJob(Refusal.of(ErrorCode.INVALID_ARGS, "The 'args' field must be a JSON array.")
                    .with("field", "args")
                    .with("expected", "array"));
        String queue = queue();
        Duration timeout = timeout();
        Duration visibility = length("visibility_timeout_ms", "visibility_timeout");
        When expiresAt = expiresAt();
        Members meta = object("meta");
        Members moreMeta = moreMeta();
        Terms terms = new Terms(
                scheduledAt(),
                expiresAt,
                timeout,
                visibility,
                retry(),
                flag("pending"),
                onWorkerLost(),
                testDirective(meta, moreMeta),
                rateLimit(queue));
        byte[] members = members(type, meta, moreMeta, terms);
        // Not the size as sent: reading the canonical spelling again, a processor must come to the same answer.
        if (members.length > MAX_JOB_BYTES) throw tooLarge(members.length);
        return new Envelope(id, type, queue, priority(), members, terms);
    }

    private byte[] members(String type, @Nullable Members meta, @Nullable Members moreMeta, Terms terms)
            throws UnreadableJob, MalformedJson {
        Duration timeout = terms.timeout();
        Duration visibility = terms.visibility();
        When expiresAt = terms.expiresAt();
        RateLimit rateLimit = terms.rateLimit();
        JsonOut out = new JsonOut(size + 64)
                .beginObject()
                .field("specversion", specversion())
                .field("type", type);
        job.copy("args", out);
        writeMeta(meta, moreMeta, out);
        if (timeout != null) out.field("timeout_ms", timeout.toMillis());
        // JavaScript workers read 'timeout' as milliseconds, the specification as seconds: shown only as it was sent.
        if (job.has("timeout")) job.copy("timeout", out);
        if (visibility != null) out.field("visibility_timeout_ms", visibility.toMillis());
        if (expiresAt != null && !expiresAt.isRelative()) out.field("expires_at", expiresAtText(expiresAt));
        verbatim("tags", out);
        verbatim("unique", out);
        if (rateLimit != null) {
            out.name("rate_limit").beginObject();
            rateLimit.write(out);
            out.endObject();
        }
        verbatim("schema", out);
        if (Boolean.TRUE.equals(onWorkerLost())) out.field("on_worker_lost", "discard");
        for (String name : job.names()) {
            if (!KNOWN.contains(name) && !SYSTEM.contains(name) && job.has(name)) job.copy(name, out);
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
        if (!isType(type))
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.INVALID_JOB_TYPE,
                            "The 'type' field must be dot-separated lower-case words such as email.send, of at most 255 characters.")
                    .with("field", "type"));
        return type;
    }

    /** Whether a job can have this type: words of lower-case letters, digits, underscores and hyphens, with dots between them. */
    public static boolean isType(String type) {
        if (type.length() > TYPE_CHARS) return false;
        boolean inWord = false;
        for (int i = 0; i < type.length(); i++) {
            char c = type.charAt(i);
            if (c == '.') {
                if (!inWord) return false;
                inWord = false;
            } else if (inWord ? !isLetterOrDigit(c) && c != '_' && c != '-' : c < 'a' || c > 'z') {
                return false;
            } else {
                inWord = true;
            }
        }
        return inWord;
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
        if (!node.isIntegralNumber()
                || !node.canConvertToInt()
                || Math.abs((long) node.intValue()) > Limits.MOST_PRIORITY)
            throw UnreadableJob.field(
                    "priority",
                    "The 'priority' field must be an integer from -%d to %d."
                            .formatted(Limits.MOST_PRIORITY, Limits.MOST_PRIORITY));
        return node.intValue();
    }

    private String specversion() throws UnreadableJob {
        String name = job.has("specversion") ? "specversion" : "version";
        JsonNode node = job.value(name);
        if (node == null) return "1.0";
        if (!node.isString())
            throw UnreadableJob.field(
                    name,
                    "The '%s' field, the version of the specification, must be a string such as \"1.0\", not %s."
                            .formatted(name, Limits.echo(node.toString())));
        if (!VERSION.matcher(node.stringValue()).matches())
            throw UnreadableJob.field(
                    name,
                    "The '%s' field must be a version of the specification such as \"1.0\", not '%s'."
                            .formatted(name, Limits.echo(node.stringValue())));
        return node.stringValue();
    }

    private @Nullable Members moreMeta() throws UnreadableJob, MalformedJson {
        if (options == null) return null;
        String name = options.has("metadata") ? "metadata" : "meta";
        if (!options.has(name)) return null;
        Members meta = options.object(name);
        if (meta == null) throw UnreadableJob.field("meta", "The 'meta' field must be an object.");
        return meta;
    }

    /** The two merged, member by member: the top-level one wins. */
    private void writeMeta(@Nullable Members meta, @Nullable Members more, JsonOut out) throws UnreadableJob {
        int before = out.length();
        if (meta != null && more == null) {
            job.copy("meta", out);
        } else {
            out.name("meta").beginObject();
            if (more != null)
                for (String name : more.names())
                    if (meta == null || !meta.names().contains(name)) more.copy(name, out);
            if (meta != null) for (String name : meta.names()) meta.copy(name, out);
            out.endObject();
        }
        int length = out.length() - before - ",\"meta\":".length();
        if (length > MAX_META_BYTES)
            throw new UnreadableJob(Refusal.of(
                            ErrorCode.METADATA_TOO_LARGE,
                            "The 'meta' field has %d bytes; at most %d are accepted.".formatted(length, MAX_META_BYTES))
                    .with("field", "meta"));
    }

    private static @Nullable String testDirective(@Nullable Members meta, @Nullable Members more) {
        String directive = null;
        if (more != null) directive = more.text(TEST_DIRECTIVE);
        if (meta != null && meta.has(TEST_DIRECTIVE)) directive = meta.text(TEST_DIRECTIVE);
        return "quiet".equals(directive) || "terminate".equals(directive) ? directive : null;
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

    /** Zero is how some clients say that there is no limit (OJS core §5.2). */
    private @Nullable Duration timeout() throws UnreadableJob {
        JsonNode node = find("timeout_ms");
        if (node == null) node = find("timeout");
        boolean none = node != null && node.isIntegralNumber() && node.longValue(-1) == 0;
        return none ? null : length("timeout_ms", "timeout");
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
        double seconds = node.isNumber() ? node.doubleValue(-1) : -1;
        if (seconds >= 0 && seconds <= LONGEST_TIMEOUT.toSeconds())
            return Duration.ofMillis(Math.round(seconds * 1000));
        Optional<Duration> parsed = node.isString() ? Durations.parse(node.stringValue()) : Optional.empty();
        return parsed.orElseThrow(() -> UnreadableJob.field(
                name, "The '%s' field must be seconds or an ISO 8601 duration such as PT30S.".formatted(name)));
    }

    private RetryOptions retry() throws UnreadableJob, MalformedJson {
        try {
            for (String name : List.of("retry", "retry_policy")) {
                Members holder = holder(name);
                if (holder == null) continue;
                Members retry = holder.object(name);
                if (retry == null) throw UnreadableJob.retry("retry", "'retry' must be an object");
                return RetryOptions.read(retry);
            }
            JsonNode attempts = find("max_attempts");
            return attempts == null ? RetryOptions.NONE : RetryOptions.ofMaxAttempts(attempts);
        } catch (UnreadableRetry unreadable) {
            throw UnreadableJob.retry(unreadable.field(), unreadable.message());
        }
    }

    private @Nullable RateLimit rateLimit(String queue) throws UnreadableJob {
        JsonNode node = find("rate_limit");
        if (node == null) return null;
        try {
            RateLimit limit = LimitReader.rateLimit(node, "rate_limit", queue);
            if (RateLimit.queueOf(limit.key()) != null && !limit.key().equals(RateLimit.keyOfQueue(queue)))
                throw UnreadableJob.field(
                        "rate_limit.key",
                        "The 'rate_limit.key' field must not be '%s': keys that begin with 'queue:' belong to the jobs of that queue, and this job is for queue '%s'."
                                .formatted(Excerpt.of(limit.key()), queue));
            return limit;
        } catch (UnreadableLimit unreadable) {
            throw UnreadableJob.field(unreadable.field(), unreadable.reason());
        }
    }

    private boolean flag(String name) throws UnreadableJob {
        JsonNode node = find(name);
        if (node == null) return false;
        if (!node.isBoolean()) throw UnreadableJob.field(name, "The '%s' field must be true or false.".formatted(name));
        return node.booleanValue();
    }

    /** Whether the job is discarded when its worker is lost; null if it does not say. */
    private @Nullable Boolean onWorkerLost() throws UnreadableJob {
        JsonNode node = find("on_worker_lost");
        if (node == null) return null;
        String text = node.isString() ? node.stringValue() : "";
        return switch (text) {
            case "retry" -> false;
            case "discard" -> true;
            default ->
                throw UnreadableJob.field("on_worker_lost", "The 'on_worker_lost' field must be retry or discard.");
        };
    }

    /** Checked for its JSON type only, and shown as sent. */
    private void verbatim(String name, JsonOut out) throws UnreadableJob, MalformedJson {
        Members holder = holder(name);
        if (holder == null) return;
        boolean fits = switch (name) {
            case "tags" -> holder.isArray(name) && holder.texts(name) != null;
            case "schema" -> holder.isString(name);
            default -> holder.isObject(name);
        };
        if (!fits)
            throw UnreadableJob.field(
                    name,
                    switch (name) {
                        case "tags" -> "The 'tags' field must be a list of strings.";
                        case "schema" -> "The 'schema' field must be a string.";
                        default -> "The '%s' field must be an object.".formatted(name);
                    });
        holder.copy(name, out);
    }

    /** Where the field is: among the options, else at the top. Null in either counts as absent. */
    private @Nullable Members holder(String name) {
        if (options != null && options.has(name)) return options;
        return job.has(name) ? job : null;
    }

    private @Nullable JsonNode find(String name) {
        Members holder = holder(name);
        return holder == null ? null : holder.value(name);
    }

    private @Nullable Members object(String name) throws UnreadableJob, MalformedJson {
        if (job.has(name) && !job.isObject(name))
            throw UnreadableJob.field(name, "The '%s' field must be an object.".formatted(name));
        return job.object(name);
    }
}
