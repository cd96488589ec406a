package io.floodgate.topics.unique;

import io.floodgate.topics.JobState;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a unique policy says, whichever job it stands in.
 *
 * @param keys the parts of a job that its fingerprint is made of
 * @param argsKeys the members or positions of its args; null for all
 * @param metaKeys the members of its meta; null for none
 * @param given a fingerprint that the producer has computed; null for none
 */
record UniqueTerms(
        List<String> keys,
        @Nullable List<String> argsKeys,
        @Nullable List<String> metaKeys,
        @Nullable String given,
        int states,
        @Nullable Duration period,
        OnConflict onConflict) {
    private static final Duration LONGEST_PERIOD = Duration.ofDays(3_653);
    private static final Set<String> DIMENSIONS = Set.of("type", "queue", "args", "meta", "version");
    private static final List<String> MEMBERS = List.of(
            "keys",
            "key",
            "args_keys",
            "meta_keys",
            "unique_key",
            "states",
            "period",
            "period_ms",
            "within",
            "ttl",
            "on_conflict");

    static UniqueTerms read(JsonNode policy) throws UnreadableUnique {
        if (!policy.isObject()) throw new UnreadableUnique("unique", "The 'unique' field must be an object.");
        rejectUnknown(policy);
        List<String> keys = texts(policy, "keys");
        List<String> argsKeys = texts(policy, "args_keys");
        List<String> named = key(policy);
        boolean areDimensions = named != null && !named.isEmpty() && DIMENSIONS.containsAll(named);
        if (keys == null && areDimensions) keys = named;
        else if (keys == null && named != null && !named.isEmpty() && argsKeys == null) argsKeys = named;
        if (keys == null || keys.isEmpty()) keys = List.of("type", "args");
        for (String key : keys)
            if (!DIMENSIONS.contains(key))
                throw wrong("keys", "type, queue, args, meta or version, not '%s'".formatted(Excerpt.of(key)));
        String given = fingerprint(policy);
        List<String> metaKeys = given == null && keys.contains("meta") ? metaKeys(policy) : null;
        return new UniqueTerms(keys, argsKeys, metaKeys, given, states(policy), period(policy), onConflict(policy));
    }

    /** A misspelled member would leave its default in place, and with it other duplicates than the client wants. */
    private static void rejectUnknown(JsonNode policy) throws UnreadableUnique {
        for (String name : policy.propertyNames())
            if (!MEMBERS.contains(name))
                throw new UnreadableUnique(
                        "unique." + Excerpt.of(name),
                        "The 'unique' field has no member '%s'.%s Its members are %s."
                                .formatted(
                                        Excerpt.of(name),
                                        NearestName.meant(name, MEMBERS),
                                        String.join(", ", MEMBERS)));
    }

    /** As some clients say it: a list of dimensions, or of members of the arguments, or one of these. */
    private static @Nullable List<String> key(JsonNode policy) throws UnreadableUnique {
        JsonNode node = policy.get("key");
        return node != null && node.isString() ? List.of(Json.text(node)) : texts(policy, "key");
    }

    private static List<String> metaKeys(JsonNode policy) throws UnreadableUnique {
        List<String> metaKeys = texts(policy, "meta_keys");
        if (metaKeys == null || metaKeys.isEmpty())
            throw wrong("meta_keys", "given, with at least one key, if 'keys' contains meta");
        return metaKeys;
    }

    private static @Nullable List<String> texts(JsonNode policy, String name) throws UnreadableUnique {
        JsonNode node = policy.get(name);
        if (node == null || node.isNull()) return null;
        if (!node.isArray()) throw wrong(name, "a list of strings");
        List<String> texts = new ArrayList<>();
        for (JsonNode element : node) {
            if (!element.isString()) throw wrong(name, "a list of strings");
            texts.add(Json.text(element));
        }
        if (texts.size() > UniqueReader.MOST_KEYS)
            throw wrong(name, "a list of at most %d strings".formatted(UniqueReader.MOST_KEYS));
        return List.copyOf(texts);
    }

    private static @Nullable String fingerprint(JsonNode policy) throws UnreadableUnique {
        JsonNode node = policy.get("unique_key");
        if (node == null || node.isNull()) return null;
        if (!node.isString() || !UniqueReader.isFingerprint(node.stringValue()))
            throw wrong("unique_key", "64 hexadecimal digits in lower case");
        return node.stringValue();
    }

    private static int states(JsonNode policy) throws UnreadableUnique {
        List<String> names = texts(policy, "states");
        if (names == null) return UniquePolicy.DEFAULT_STATES;
        if (names.isEmpty()) throw wrong("states", "left out, or a list of at least one state");
        int states = 0;
        for (String name : names) {
            Optional<JobState> state = JobState.parse(name);
            if (state.isEmpty())
                throw wrong("states", "a list of states of jobs, and '%s' is none".formatted(Excerpt.of(name)));
            states |= UniquePolicy.mask(state.get());
        }
        return states;
    }

    private static @Nullable Duration period(JsonNode policy) throws UnreadableUnique {
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

    private static OnConflict onConflict(JsonNode policy) throws UnreadableUnique {
        JsonNode node = policy.get("on_conflict");
        if (node == null || node.isNull()) return OnConflict.REJECT;
        Optional<OnConflict> parsed = node.isString() ? OnConflict.parse(node.stringValue()) : Optional.empty();
        return parsed.orElseThrow(() -> wrong("on_conflict", "reject, ignore, replace or replace_except_schedule"));
    }

    private static UnreadableUnique wrong(String field, String must) {
        return new UnreadableUnique("unique." + field, "The 'unique.%s' field must be %s.".formatted(field, must));
    }
}
