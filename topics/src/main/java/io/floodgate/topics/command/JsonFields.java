package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.command.Message.PassedOn;
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

    boolean has(String name) {
        return node(name) != null;
    }

    String text(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        if (!value.isString()) throw new UnreadableCommand("'%s' must be a string.".formatted(name));
        return Json.text(value);
    }

    @Nullable
    String optionalText(String name) throws UnreadableCommand {
        return node(name) == null ? null : text(name);
    }

    List<String> texts(String name) throws UnreadableCommand {
        List<String> texts = members.texts(name);
        if (texts == null) throw new UnreadableCommand("'%s' must be a list of strings.".formatted(name));
        return texts;
    }

    /** At least one. */
    List<String> queues(String name) throws UnreadableCommand {
        List<String> queues = texts(name);
        if (queues.isEmpty()) throw new UnreadableCommand("'%s' must not be empty.".formatted(name));
        return queues;
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
        return node(name) == null ? null : (Long) natural(name);
    }

    @Nullable
    List<String> optionalTexts(String name) throws UnreadableCommand {
        return node(name) == null ? null : texts(name);
    }

    /** Numbers by name, none of them negative; none at all if it is absent. */
    Map<String, Long> naturals(String name) throws UnreadableCommand, MalformedJson {
        if (node(name) == null) return Map.of();
        JsonFields inside = fields(name);
        Map<String, Long> numbers = new TreeMap<>();
        for (String each : inside.members.names()) numbers.put(each, inside.natural(each));
        return numbers;
    }

    /** Lists of strings by name; none at all if it is absent. */
    Map<String, List<String>> textsByName(String name) throws UnreadableCommand, MalformedJson {
        if (node(name) == null) return Map.of();
        JsonFields inside = fields(name);
        Map<String, List<String>> lists = new TreeMap<>();
        for (String each : inside.members.names()) lists.put(each, inside.texts(each));
        return lists;
    }

    int positive(String name) throws UnreadableCommand {
        long number = number(name);
        if (number < 1 || number > Integer.MAX_VALUE)
            throw new UnreadableCommand("'%s' is out of range.".formatted(name));
        return (int) number;
    }

    int priority(String name) throws UnreadableCommand {
        long priority = number(name);
        if (Math.abs(priority) > Limits.MOST_PRIORITY)
            throw new UnreadableCommand(
                    "'%s' must be from -%d to %d.".formatted(name, Limits.MOST_PRIORITY, Limits.MOST_PRIORITY));
        return (int) priority;
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

    /** From 0 to 1. */
    @Nullable
    Double optionalShare(String name) throws UnreadableCommand {
        JsonNode value = node(name);
        if (value == null) return null;
        if (!value.isNumber() || !(value.doubleValue() >= 0 && value.doubleValue() <= 1))
            throw new UnreadableCommand("'%s' must be a number from 0 to 1.".formatted(name));
        return value.doubleValue();
    }

    /** Any number that a double can hold. */
    @Nullable
    Double optionalDouble(String name) throws UnreadableCommand {
        JsonNode value = node(name);
        if (value == null) return null;
        double number = value.isNumber() ? value.doubleValue(Double.NaN) : Double.NaN;
        if (!Double.isFinite(number)) throw new UnreadableCommand("'%s' must be a number.".formatted(name));
        return number;
    }

    /** The fields of an object inside. */
    JsonFields fields(String name) throws UnreadableCommand, MalformedJson {
        return of(object(name));
    }

    /** As {@link #fields}; without any if there is no such object. */
    JsonFields optionalFields(String name) throws UnreadableCommand, MalformedJson {
        return node(name) == null ? of(NOTHING) : fields(name);
    }

    Members members(String name) throws UnreadableCommand, MalformedJson {
        return Members.of(object(name));
    }

    /** How many at most: never less than one, and more than {@code most} is not given at once. */
    int count(String name, int most) throws UnreadableCommand {
        long count = number(name);
        if (count < 1) throw new UnreadableCommand("'%s' must be 1 or more.".formatted(name));
        return (int) Math.min(count, most);
    }

    @Nullable
    Long optionalNumber(String name) throws UnreadableCommand {
        return node(name) == null ? null : (Long) number(name);
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
        return node(name) == null ? null : millis(name);
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

    byte @Nullable [] optionalRaw(String name) {
        return members.raw(name);
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

    JobId job(String name) throws UnreadableCommand {
        return parseJob(text(name));
    }

    List<JobId> jobs(String name) throws UnreadableCommand {
        List<JobId> jobs = new ArrayList<>();
        for (String text : texts(name)) jobs.add(parseJob(text));
        return jobs;
    }

    private static JobId parseJob(String text) throws UnreadableCommand {
        return JobId.parse(text)
                .orElseThrow(() -> new UnreadableCommand("'%s' is no job id.".formatted(Limits.echo(text))));
    }

    PartitionId log(String name) throws UnreadableCommand {
        return parseLog(text(name));
    }

    static PartitionId parseLog(String text) throws UnreadableCommand {
        try {
            return PartitionId.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' is no partition.".formatted(Limits.echo(text)));
        }
    }

    List<Claim> claims(String name) throws UnreadableCommand, MalformedJson {
        List<Claim> claims = new ArrayList<>();
        for (byte[] item : raws(name)) {
            JsonFields claim = of(item);
            claims.add(new Claim(claim.job("job_id"), claim.text("queue")));
        }
        return claims;
    }

    List<PassedOn> passedOn(String name) throws UnreadableCommand, MalformedJson {
        List<PassedOn> jobs = new ArrayList<>();
        for (byte[] item : raws(name)) {
            JsonFields job = of(item);
            jobs.add(new PassedOn(job.job("job_id"), job.number("claim"), job.flag("alone")));
        }
        return jobs;
    }

    Rejection rejection(String name) throws UnreadableCommand {
        Rejection rejection = optionalRejection(name);
        if (rejection == null) throw new UnreadableCommand("The command lacks '%s'.".formatted(name));
        return rejection;
    }

    @Nullable
    Rejection optionalRejection(String name) throws UnreadableCommand {
        byte[] json = members.raw(name);
        if (json == null) return null;
        try {
            return Reply.readRejection(json);
        } catch (IllegalArgumentException malformed) {
            throw new UnreadableCommand("'%s' is no rejection.".formatted(name));
        }
    }
}
