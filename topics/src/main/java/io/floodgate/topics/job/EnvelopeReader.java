package io.floodgate.topics.job;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.Envelope.Terms;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.OrderKey;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.UnreadableRetry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Reads a submitted job in any spelling OJS clients use and checks it (OJS core §5). Gateways and processors read with
 * the same rules: a job that a plain Kafka client produced is held to what HTTP would have rejected.
 */
public final class EnvelopeReader {
    /** The largest job, in bytes of JSON. */
    public static final int MAX_JOB_BYTES = 1024 * 1024;

    public static final int MAX_META_BYTES = 64 * 1024;

    /** The queue of a job that names none. */
    public static final String DEFAULT_QUEUE = "default";

    public static final int MAX_TYPE_CHARS = 255;
    public static final int MAX_QUEUE_CHARS = 128;
    private static final Pattern VERSION = Pattern.compile("[0-9][0-9a-z.\\-]{0,19}");

    /** The names that a job's options may have. */
    public static final Set<String> OPTIONS = EnvelopeFields.OPTIONS;

    private static final String TEST_DIRECTIVE = "test_directive";

    private final Members job;
    private final int size;
    private final SubmittedFields fields;
    private final boolean isOwn;

    private EnvelopeReader(Members job, int size, boolean isOwn) throws UnreadableJob, MalformedJson {
        this.job = job;
        this.size = size;
        this.isOwn = isOwn;
        this.fields = new SubmittedFields(job);
    }

    public static Envelope read(byte[] json) throws UnreadableJob {
        return read(json, Members::submitted, members -> false);
    }

    /** A job of a batch: a partition may have put it together, and says so by naming its owner. */
    public static Envelope readBatched(byte[] json) throws UnreadableJob {
        return read(json, Members::submitted, members -> members.has(OwnEnvelope.OWNER));
    }

    /** A job that a partition has put together, with results of other jobs. */
    public static Envelope readOwn(byte[] json) throws UnreadableJob {
        return read(json, Members::of, members -> true);
    }

    private interface Parsing {
        Members parse(byte[] json) throws MalformedJson;
    }

    private static Envelope read(byte[] json, Parsing parsing, Predicate<Members> isOwn) throws UnreadableJob {
        if (json.length > 2 * MAX_JOB_BYTES) throw tooLarge(json.length);
        try {
            Members members = parsing.parse(json);
            return new EnvelopeReader(members, json.length, isOwn.test(members)).read();
        } catch (MalformedJson malformed) {
            Rejection rejection = Rejection.of(ErrorCode.INVALID_PAYLOAD, malformed.getMessage());
            throw new UnreadableJob(malformed.field() == null ? rejection : rejection.with("field", malformed.field()));
        } catch (JacksonException unreasonable) {
            throw new UnreadableJob(Rejection.of(
                    ErrorCode.INVALID_PAYLOAD, "The job cannot be read: " + unreasonable.getOriginalMessage()));
        }
    }

    private static UnreadableJob tooLarge(int size) {
        return new UnreadableJob(Rejection.of(
                        ErrorCode.ENVELOPE_TOO_LARGE,
                        "The job has %d bytes; at most %d are accepted.".formatted(size, MAX_JOB_BYTES))
                .with("size_bytes", size)
                .with("max_envelope_bytes", MAX_JOB_BYTES));
    }

    /**
     * Returns whether a queue may have this name: lower-case letters, digits, hyphens and dots, beginning with a letter
     * or digit.
     */
    public static boolean isQueueName(String name) {
        if (name.isEmpty() || name.length() > MAX_QUEUE_CHARS || !isLetterOrDigit(name.charAt(0))) return false;
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
        SubmittedType type = SubmittedType.of(job);
        if (!job.has("args")) throw UnreadableJob.required("args");
        if (!job.isArray("args"))
            throw new UnreadableJob(Rejection.of(ErrorCode.INVALID_ARGS, "The 'args' field must be a JSON array.")
                    .with("field", "args")
                    .with("expected", "array"));
        String queue = queue();
        Duration timeout = timeout();
        Duration visibility = fields.length("visibility_timeout_ms", "visibility_timeout");
        When expiresAt = expiresAt();
        Members meta = fields.object("meta");
        Members moreMeta = moreMeta();
        Terms terms = new Terms(
                scheduledAt(),
                expiresAt,
                timeout,
                visibility,
                retry(),
                fields.flag("pending"),
                onWorkerLost(),
                testDirective(meta, moreMeta),
                rateLimit(queue),
                null,
                orderKey(),
                isOwn ? OwnEnvelope.owner(job) : null);
        byte[] members = members(type, meta, moreMeta, terms);
        // Not the size as sent: reading the canonical spelling again, a processor must come to the same answer.
        if (members.length > MAX_JOB_BYTES && !isOwn) throw tooLarge(members.length);
        return new Envelope(
                id,
                type.name(),
                type.version(),
                queue,
                priority(),
                members,
                SubmittedUnique.addTo(terms, fields, members, queue));
    }

    private byte[] members(SubmittedType type, @Nullable Members meta, @Nullable Members moreMeta, Terms terms)
            throws UnreadableJob, MalformedJson {
        Duration visibility = terms.visibility();
        When expiresAt = terms.expiresAt();
        RateLimit rateLimit = terms.rateLimit();
        JsonOut out =
                JsonOut.object(size + 64).field("specversion", specversion()).field("type", type.name());
        job.copy("args", out);
        writeMeta(meta, moreMeta, out);
        // JavaScript workers read 'timeout' as milliseconds, the specification as seconds: shown only as it was sent.
        if (job.has("timeout")) job.copy("timeout", out);
        if (visibility != null) out.field("visibility_timeout_ms", visibility.toMillis());
        if (expiresAt != null && !expiresAt.isRelative()) out.field("expires_at", expiresAtText(expiresAt));
        fields.verbatim("tags", out);
        fields.verbatim("unique", out);
        if (rateLimit != null) {
            out.beginObject("rate_limit");
            rateLimit.write(out);
            out.endObject();
        }
        fields.verbatim("schema", out);
        fields.resultTtl(out);
        for (String name : job.names()) {
            if (EnvelopeFields.isCopied(name, isOwn) && job.has(name)) job.copy(name, out);
        }
        return out.optional("version", type.behind()).endObject().toBytes();
    }

    private @Nullable JobId id() throws UnreadableJob {
        JsonNode node = job.value("id");
        if (node == null) return null;
        Optional<JobId> id = node.isString() ? JobId.parse(node.stringValue()) : Optional.empty();
        return id.orElseThrow(() -> UnreadableJob.field("id", "The 'id' field must be a lower-case UUIDv7."));
    }

    /**
     * Returns whether a job can have this type: words of lower-case letters, digits, underscores and hyphens, with dots
     * between them.
     */
    public static boolean isType(String type) {
        if (type.length() > MAX_TYPE_CHARS) return false;
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
        JsonNode node = fields.find("queue");
        if (node == null) return DEFAULT_QUEUE;
        String queue = node.isString() ? node.stringValue() : "";
        if (!isQueueName(queue))
            throw new UnreadableJob(Rejection.of(
                            ErrorCode.INVALID_QUEUE,
                            "The 'queue' field must be lower-case letters, digits, hyphens and dots, at most 128, beginning with a letter or digit.")
                    .with("field", "queue"));
        return queue;
    }

    private int priority() throws UnreadableJob {
        JsonNode node = fields.find("priority");
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
        JsonNode node = job.value("specversion");
        if (node == null) return "1.0";
        if (!node.isString())
            throw UnreadableJob.field(
                    "specversion",
                    "The 'specversion' field, the version of the specification, must be a string such as \"1.0\", not %s."
                            .formatted(Limits.echo(node.toString())));
        if (!VERSION.matcher(node.stringValue()).matches())
            throw UnreadableJob.field(
                    "specversion",
                    "The 'specversion' field must be a version of the specification such as \"1.0\", not '%s'."
                            .formatted(Limits.echo(node.stringValue())));
        return node.stringValue();
    }

    private @Nullable Members moreMeta() throws UnreadableJob, MalformedJson {
        Members options = fields.options();
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
            out.beginObject("meta");
            if (more != null)
                for (String name : more.names())
                    if (meta == null || !meta.names().contains(name)) more.copy(name, out);
            if (meta != null) for (String name : meta.names()) meta.copy(name, out);
            out.endObject();
        }
        int length = out.length() - before - ",\"meta\":".length();
        if (length > MAX_META_BYTES)
            throw new UnreadableJob(Rejection.of(
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
        When at = fields.when("delay_until");
        if (at == null) at = fields.when("scheduled_at");
        if (at != null) return at;
        JsonNode delay = fields.find("delay");
        return delay == null ? null : When.after(SubmittedFields.duration("delay", delay));
    }

    private @Nullable When expiresAt() throws UnreadableJob {
        When at = fields.when("expires_at");
        if (at != null) return at;
        JsonNode ttl = fields.find("enqueue_ttl");
        if (ttl == null) ttl = fields.find("ttl");
        return ttl == null ? null : When.after(SubmittedFields.duration("enqueue_ttl", ttl));
    }

    private String expiresAtText(When expiresAt) {
        JsonNode node = fields.find("expires_at");
        return node == null ? expiresAt.wire() : node.stringValue();
    }

    /** Zero is how some clients say that there is no limit (OJS core §5.2). */
    private @Nullable Duration timeout() throws UnreadableJob {
        JsonNode node = fields.find("timeout_ms");
        if (node == null) node = fields.find("timeout");
        boolean none = node != null && node.isIntegralNumber() && node.longValue(-1) == 0;
        return none ? null : fields.length("timeout_ms", "timeout");
    }

    private RetryOptions retry() throws UnreadableJob, MalformedJson {
        try {
            for (String name : List.of("retry", "retry_policy")) {
                Members holder = fields.holder(name);
                if (holder == null) continue;
                Members retry = holder.object(name);
                if (retry == null) throw UnreadableJob.retry("retry", "'retry' must be an object");
                return RetryOptions.read(retry);
            }
            JsonNode attempts = fields.find("max_attempts");
            return attempts == null ? RetryOptions.NONE : RetryOptions.ofMaxAttempts(attempts);
        } catch (UnreadableRetry unreadable) {
            throw UnreadableJob.retry(unreadable.field(), unreadable.reason());
        }
    }

    private @Nullable String orderKey() throws UnreadableJob {
        JsonNode node = fields.find(OrderKey.NAME);
        if (node == null) node = fields.find(OrderKey.EXTENSION_NAME);
        if (node == null) return null;
        String key = node.isString() ? Json.text(node) : "";
        if (!OrderKey.isKey(key))
            throw UnreadableJob.field(
                    OrderKey.NAME,
                    "The '%s' field must be a text of 1 to %d characters."
                            .formatted(OrderKey.NAME, OrderKey.MOST_CHARS));
        return key;
    }

    private @Nullable RateLimit rateLimit(String queue) throws UnreadableJob {
        JsonNode node = fields.find("rate_limit");
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

    /** Returns whether the job is discarded when its worker is lost; null if it does not say. */
    private @Nullable Boolean onWorkerLost() throws UnreadableJob {
        JsonNode node = fields.find("on_worker_lost");
        if (node == null) return null;
        String text = node.isString() ? node.stringValue() : "";
        return switch (text) {
            case "retry" -> false;
            case "discard" -> true;
            default ->
                throw UnreadableJob.field("on_worker_lost", "The 'on_worker_lost' field must be retry or discard.");
        };
    }
}
