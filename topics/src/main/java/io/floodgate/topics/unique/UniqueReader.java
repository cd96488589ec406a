package io.floodgate.topics.unique;

import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MemberWalk;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
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

    private static final Pattern POSITION = Pattern.compile("[0-9]{1,6}");
    private static final Pattern FINGERPRINT = Pattern.compile(UniquePolicy.FINGERPRINT);

    private final byte[] policy;
    private final UniqueTerms terms;
    private final byte[] job;
    private final String queue;
    private final @Nullable String tenant;

    private UniqueReader(byte[] policy, UniqueTerms terms, byte[] job, String queue, @Nullable String tenant) {
        this.policy = policy;
        this.terms = terms;
        this.job = job;
        this.queue = queue;
        this.tenant = tenant;
    }

    /**
     * @param policy the value of the field {@code unique}
     * @param job its members as Floodgate writes them: type, args, meta and version are looked at
     * @param tenant that owns the job; null for none
     */
    public static UniquePolicy read(byte[] policy, byte[] job, String queue, @Nullable String tenant)
            throws UnreadableUnique {
        UniqueTerms terms = LastTerms.of(policy);
        String given = terms.given();
        String fingerprint = given == null
                ? new UniqueReader(policy, terms, job, queue, tenant).hash()
                : tenant == null ? given : within("tenant", tenant, given);
        boolean ofQueue = given == null && terms.keys().contains("queue");
        return new UniquePolicy(fingerprint, ofQueue, terms.states(), terms.period(), terms.onConflict());
    }

    /** Who encrypts arguments computes the fingerprint itself. */
    public static boolean isFingerprint(String key) {
        return FINGERPRINT.matcher(key).matches();
    }

    /** The same fingerprint for another owner is another one. */
    static String within(String kind, String owner, String fingerprint) {
        JsonOut out = JsonOut.object().field(kind, owner).field("unique_key", fingerprint);
        return HexFormat.of().formatHex(sha256(out.endObject().toBytes()));
    }

    private String hash() throws UnreadableUnique {
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
        JsonOut out = JsonOut.object(args.length + 256);
        // In the order of their names.
        if (terms.keys().contains("args")) writeArgs(args, out);
        List<String> metaKeys = terms.metaKeys();
        if (metaKeys != null) writeMeta(meta, metaKeys, out);
        if (terms.keys().contains("queue")) out.field("queue", queue);
        if (tenant != null) out.field("tenant", tenant);
        out.field("type", type);
        if (version != null) CanonicalJson.write(version, out.name("version"));
        return HexFormat.of().formatHex(sha256(out.endObject().toBytes()));
    }

    private void writeArgs(byte[] args, JsonOut out) throws UnreadableUnique {
        out.name("args");
        List<String> argsKeys = terms.argsKeys();
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
            if (value == null) throw noMember(key);
            chosen.put(CanonicalJson.normal(key), value);
        }
        write(chosen, out);
    }

    private UnreadableUnique noMember(String key) {
        String field = MemberWalk.raw(policy, "args_keys") == null ? "unique.key" : "unique.args_keys";
        return new UnreadableUnique(
                field,
                "The '%s' field names '%s', and the first of the args has no such member. Name members that it has, or leave the field out to compare all args."
                        .formatted(field, Excerpt.of(key)));
    }

    private static void writeMeta(byte @Nullable [] meta, List<String> metaKeys, JsonOut out) throws UnreadableUnique {
        JsonNode all = meta == null ? null : Json.tree(meta);
        Map<String, JsonNode> chosen = new TreeMap<>();
        for (String key : metaKeys) {
            JsonNode value = all == null ? null : all.get(key);
            if (value != null) chosen.put(CanonicalJson.normal(key), value);
        }
        out.name("meta");
        write(chosen, out);
    }

    private static void write(Map<String, JsonNode> members, JsonOut out) throws UnreadableUnique {
        out.beginObject();
        for (Map.Entry<String, JsonNode> member : members.entrySet())
            CanonicalJson.write(member.getValue(), out.name(member.getKey()));
        out.endObject();
    }

    private static byte[] sha256(byte[] json) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(json);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
