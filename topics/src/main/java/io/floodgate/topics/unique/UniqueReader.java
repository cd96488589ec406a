package io.floodgate.topics.unique;

import io.floodgate.topics.JobState;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a unique policy in any spelling that OJS clients use, and computes the fingerprint of its job (OJS unique jobs §2 and
 * §4). Gateways and processors compute it by the same code from the same members.
 */
public final class UniqueReader {
    /** Of keys of each kind. */
    public static final int MOST_KEYS = 32;

    private static final Duration LONGEST_PERIOD = Duration.ofDays(3_653);
    private static final Set<String> DIMENSIONS = Set.of("type", "queue", "args", "meta", "version");
    private static final Pattern POSITION = Pattern.compile("[0-9]{1,6}");
    private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{64}");

    private final JsonNode policy;
    private final byte[] job;
    private final String queue;
    private final @Nullable String tenant;

    private UniqueReader(JsonNode policy, byte[] job, String queue, @Nullable String tenant) {
        this.policy = policy;
        this.job = job;
        this.queue = queue;
        this.tenant = tenant;
    }

    /**
     * @param policy the object of the field {@code unique}
     * @param job its members as Floodgate writes them: type, args, meta and version are looked at
     * @param tenant that owns the job; null for none
     */
    public static UniquePolicy read(JsonNode policy, byte[] job, String queue, @Nullable String tenant)
            throws UnreadableUnique {
        if (!policy.isObject()) throw new UnreadableUnique("unique", "The 'unique' field must be an object.");
        return new UniqueReader(policy, job, queue, tenant).read();
    }

    private UniquePolicy read() throws UnreadableUnique {
        List<String> keys = texts("keys");
        List<String> argsKeys = texts("args_keys");
        List<String> named = key();
        boolean areDimensions = named != null && !named.isEmpty() && DIMENSIONS.containsAll(named);
        if (keys == null && areDimensions) keys = named;
        else if (keys == null && named != null && !named.isEmpty() && argsKeys == null) argsKeys = named;
        if (keys == null || keys.isEmpty()) keys = List.of("type", "args");
        for (String key : keys)
            if (!DIMENSIONS.contains(key))
                throw wrong("keys", "type, queue, args, meta or version, not '%s'".formatted(Excerpt.of(key)));
        String given = fingerprint();
        boolean ofQueue = given == null && keys.contains("queue");
        return new UniquePolicy(
                given == null ? hash(keys, argsKeys) : given, ofQueue, states(), period(), onConflict());
    }

    /** As some clients say it: a list of dimensions, or of members of the arguments, or one of these. */
    private @Nullable List<String> key() throws UnreadableUnique {
        JsonNode node = policy.get("key");
        return node != null && node.isString() ? List.of(Json.text(node)) : texts("key");
    }

    private @Nullable List<String> texts(String name) throws UnreadableUnique {
        JsonNode node = policy.get(name);
        if (node == null || node.isNull()) return null;
        if (!node.isArray()) throw wrong(name, "a list of strings");
        List<String> texts = new ArrayList<>();
        for (JsonNode element : node) {
            if (!element.isString()) throw wrong(name, "a list of strings");
            texts.add(Json.text(element));
        }
        if (texts.size() > MOST_KEYS) throw wrong(name, "a list of at most %d strings".formatted(MOST_KEYS));
        return texts;
    }

    /** Who encrypts arguments computes the fingerprint itself. */
    public static boolean isFingerprint(String key) {
        return FINGERPRINT.matcher(key).matches();
    }

    private @Nullable String fingerprint() throws UnreadableUnique {
        JsonNode node = policy.get("unique_key");
        if (node == null || node.isNull()) return null;
        if (!node.isString() || !isFingerprint(node.stringValue()))
            throw wrong("unique_key", "64 hexadecimal digits in lower case");
        return node.stringValue();
    }

    private int states() throws UnreadableUnique {
        List<String> names = texts("states");
        if (names == null || names.isEmpty()) return UniquePolicy.DEFAULT_STATES;
        int states = 0;
        for (String name : names) {
            Optional<JobState> state = JobState.parse(name);
            if (state.isEmpty())
                throw wrong("states", "a list of states of jobs, and '%s' is none".formatted(Excerpt.of(name)));
            states |= UniquePolicy.mask(state.get());
        }
        return states;
    }

    private @Nullable Duration period() throws UnreadableUnique {
        for (String name : List.of("period", "period_ms", "within", "ttl")) {
            JsonNode node = policy.get(name);
            if (node == null || node.isNull()) continue;
            Optional<Duration> period = name.equals("period_ms") ? millis(node) : duration(node);
            if (period.isEmpty() || period.get().toMillis() < 1 || period.get().compareTo(LONGEST_PERIOD) > 0)
                throw wrong(name, "a duration such as PT1H, of a millisecond to ten years");
            return Duration.ofMillis(period.get().toMillis());
        }
        return null;
    }

    private static Optional<Duration> millis(JsonNode node) {
        return node.isIntegralNumber() && node.canConvertToLong()
                ? Optional.of(Duration.ofMillis(node.longValue()))
                : Optional.empty();
    }

    private static Optional<Duration> duration(JsonNode node) {
        if (node.isString()) return Durations.parse(node.stringValue());
        double seconds = node.isNumber() ? node.doubleValue(-1) : -1;
        boolean isSensible = seconds >= 0 && seconds <= 2 * (double) LONGEST_PERIOD.toSeconds();
        return isSensible ? Optional.of(Duration.ofMillis(Math.round(seconds * 1000))) : Optional.empty();
    }

    private OnConflict onConflict() throws UnreadableUnique {
        JsonNode node = policy.get("on_conflict");
        if (node == null || node.isNull()) return OnConflict.REJECT;
        Optional<OnConflict> parsed = node.isString() ? OnConflict.parse(node.stringValue()) : Optional.empty();
        return parsed.orElseThrow(() -> wrong("on_conflict", "reject, ignore, replace or replace_except_schedule"));
    }

    // ---- the fingerprint

    private String hash(List<String> keys, @Nullable List<String> argsKeys) throws UnreadableUnique {
        String type = "";
        byte[] args = null;
        byte[] meta = null;
        byte[] version = null;
        MemberWalk members = new MemberWalk(job);
        while (members.next()) {
            if (members.nameIs("type")) type = members.text();
            else if (members.nameIs("args")) args = members.raw();
            else if (members.nameIs("meta")) meta = members.raw();
            else if (members.nameIs("version")) version = members.raw();
        }
        if (args == null) throw new IllegalStateException("a job without args");
        JsonOut out = new JsonOut(args.length + 256).beginObject();
        // In the order of their names.
        if (keys.contains("args")) writeArgs(args, argsKeys, out);
        if (keys.contains("meta")) writeMeta(meta, out);
        if (keys.contains("queue")) out.field("queue", queue);
        if (tenant != null) out.field("tenant", tenant);
        out.field("type", type);
        if (version != null) CanonicalJson.write(version, out.name("version"));
        return HexFormat.of().formatHex(sha256(out.endObject().toBytes()));
    }

    private static void writeArgs(byte[] args, @Nullable List<String> argsKeys, JsonOut out) throws UnreadableUnique {
        out.name("args");
        if (argsKeys == null || argsKeys.isEmpty()) {
            CanonicalJson.write(args, out);
            return;
        }
        JsonNode all = Json.tree(args);
        JsonNode first = all.get(0);
        Map<String, JsonNode> chosen = new TreeMap<>();
        for (String key : argsKeys) {
            boolean isPosition = POSITION.matcher(key).matches();
            JsonNode value = null;
            if (isPosition) value = all.get(Integer.parseInt(key));
            else if (first != null && first.isObject()) value = first.get(key);
            if (value == null)
                throw new UnreadableUnique(
                        "unique.args_keys",
                        "The 'unique.args_keys' field names '%s', and the first of the args has no such member."
                                .formatted(Excerpt.of(key)));
            chosen.put(CanonicalJson.normal(key), value);
        }
        write(chosen, out);
    }

    private void writeMeta(byte @Nullable [] meta, JsonOut out) throws UnreadableUnique {
        List<String> metaKeys = texts("meta_keys");
        if (metaKeys == null || metaKeys.isEmpty())
            throw wrong("meta_keys", "given, with at least one key, if 'keys' contains meta");
        JsonNode all = meta == null ? null : Json.tree(meta);
        Map<String, JsonNode> chosen = new TreeMap<>();
        for (String key : metaKeys) {
            JsonNode value = all == null ? null : all.get(key);
            if (value != null) chosen.put(CanonicalJson.normal(key), value);
        }
        out.name("meta");
        write(chosen, out);
    }

    private static void write(Map<String, JsonNode> members, JsonOut out) {
        out.beginObject();
        members.forEach((name, value) -> CanonicalJson.write(value, out.name(name)));
        out.endObject();
    }

    private static byte[] sha256(byte[] json) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(json);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static UnreadableUnique wrong(String field, String must) {
        return new UnreadableUnique("unique." + field, "The 'unique.%s' field must be %s.".formatted(field, must));
    }
}
