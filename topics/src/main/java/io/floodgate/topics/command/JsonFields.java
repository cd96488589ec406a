package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields of a command's JSON, each asked for by type. */
final class JsonFields {
    private static final byte[] NOTHING = {'{', '}'};

    private final Members members;

    private JsonFields(Members members) {
        this.members = members;
    }

    static JsonFields of(byte[] json) throws MalformedJson {
        return new JsonFields(Members.of(json));
    }

    @Nullable
    JsonNode node(String name) {
        return members.value(name);
    }

    private JsonNode required(String name) throws UnreadableCommand {
        JsonNode value = node(name);
        if (value == null) throw new UnreadableCommand("The command lacks '%s'.".formatted(name));
        return value;
    }

    /** Present and not null. */
    boolean has(String name) {
        return members.has(name);
    }

    String text(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        if (!value.isString()) throw new UnreadableCommand("'%s' must be a string.".formatted(name));
        return Json.text(value);
    }

    List<String> texts(String name) throws UnreadableCommand {
        List<String> texts = members.texts(name);
        if (texts == null) throw new UnreadableCommand("'%s' must be a list of strings.".formatted(name));
        return texts;
    }

    long number(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong())
            throw new UnreadableCommand("'%s' must be an integer.".formatted(name));
        return value.longValue();
    }

    long natural(String name) throws UnreadableCommand {
        long number = number(name);
        if (number < 0) throw new UnreadableCommand("'%s' must not be negative.".formatted(name));
        return number;
    }

    @Nullable
    Long optionalNatural(String name) throws UnreadableCommand {
        return !has(name) ? null : (Long) natural(name);
    }

    /** Numbers by name, none of them negative; none at all if it is absent. */
    Map<String, Long> naturals(String name) throws UnreadableCommand, MalformedJson {
        if (!has(name)) return Map.of();
        JsonFields inside = fields(name);
        Map<String, Long> numbers = new TreeMap<>();
        for (String each : inside.members.names()) numbers.put(each, inside.natural(each));
        return numbers;
    }

    /** Lists of strings by name; none at all if it is absent. */
    Map<String, List<String>> textsByName(String name) throws UnreadableCommand, MalformedJson {
        if (!has(name)) return Map.of();
        JsonFields inside = fields(name);
        Map<String, List<String>> lists = new TreeMap<>();
        for (String each : inside.members.names()) lists.put(each, inside.texts(each));
        return lists;
    }

    List<Long> numbers(String name) throws UnreadableCommand {
        JsonNode array = required(name);
        if (!array.isArray()) throw new UnreadableCommand("'%s' must be a list of integers.".formatted(name));
        List<Long> numbers = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            if (!element.isIntegralNumber() || !element.canConvertToLong())
                throw new UnreadableCommand("'%s' must be a list of integers.".formatted(name));
            numbers.add(element.longValue());
        }
        return numbers;
    }

    /** Any number that a double can hold. */
    Double decimal(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        double number = value.isNumber() ? value.doubleValue(Double.NaN) : Double.NaN;
        if (!Double.isFinite(number)) throw new UnreadableCommand("'%s' must be a number.".formatted(name));
        return number;
    }

    /** The fields of an object inside. */
    JsonFields fields(String name) throws UnreadableCommand, MalformedJson {
        Members inside = members.object(name);
        if (inside == null) throw new UnreadableCommand("'%s' must be an object.".formatted(name));
        return new JsonFields(inside);
    }

    /** As {@link #fields}; without any if there is no such object. */
    JsonFields optionalFields(String name) throws UnreadableCommand, MalformedJson {
        return !has(name) ? of(NOTHING) : fields(name);
    }

    Members members(String name) throws UnreadableCommand, MalformedJson {
        return Members.of(object(name));
    }

    Duration millis(String name) throws UnreadableCommand {
        long millis = number(name);
        // A century: sums with any time stay within what a timestamp can say.
        if (millis < 0 || millis > 3_155_760_000_000L)
            throw new UnreadableCommand("'%s' is out of range.".formatted(name));
        return Duration.ofMillis(millis);
    }

    @Nullable
    Duration optionalMillis(String name) throws UnreadableCommand {
        return !has(name) ? null : millis(name);
    }

    boolean flag(String name) {
        JsonNode value = node(name);
        return value != null && value.booleanValue(false);
    }

    byte[] object(String name) throws UnreadableCommand {
        byte[] json = members.isObject(name) ? members.raw(name) : null;
        if (json == null) throw new UnreadableCommand("'%s' must be an object.".formatted(name));
        return json;
    }

    /** Bytes that are no JSON. */
    byte[] bytes(String name) throws UnreadableCommand {
        try {
            return Base64.getDecoder().decode(text(name));
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' must be Base64.".formatted(name));
        }
    }

    byte[] array(String name) throws UnreadableCommand {
        byte[] json = members.isArray(name) ? members.raw(name) : null;
        if (json == null) throw new UnreadableCommand("'%s' must be a list.".formatted(name));
        return json;
    }

    /** JSON of any kind. */
    byte[] raw(String name) throws UnreadableCommand {
        byte[] json = members.raw(name);
        if (json == null) throw new UnreadableCommand("The command lacks '%s'.".formatted(name));
        return json;
    }

    /** These are kept for clients: they must be text throughout. */
    JsonFields withTexts(String... names) throws MalformedJson {
        for (String name : names) members.rejectHalfPairs(name);
        return this;
    }

    List<byte[]> raws(String name) throws UnreadableCommand, MalformedJson {
        if (!members.isArray(name)) throw new UnreadableCommand("'%s' must be a list.".formatted(name));
        return members.elements(name);
    }

    static JobId parseJob(String text) throws UnreadableCommand {
        return JobId.parse(text)
                .orElseThrow(() -> new UnreadableCommand("'%s' is no job id.".formatted(Limits.echo(text))));
    }

    static PartitionId parsePartition(String text) throws UnreadableCommand {
        try {
            return PartitionId.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' is no partition.".formatted(Limits.echo(text)));
        }
    }

    Rejection rejection(String name) throws UnreadableCommand {
        byte[] json = raw(name);
        try {
            return Reply.readRejection(json);
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' is no rejection.".formatted(name));
        }
    }
}
