package io.floodgate.topics.command;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.Message.Claim;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;

/** The fields of a command's JSON, each asked for by type. */
final class JsonFields {
    private final JsonNode node;

    private JsonFields(JsonNode node) {
        this.node = node;
    }

    static JsonFields of(byte[] json) throws UnreadableCommand {
        try {
            JsonNode tree = Json.tree(json);
            if (!tree.isObject()) throw new UnreadableCommand("A command must be a JSON object.");
            return new JsonFields(tree);
        } catch (JacksonException malformed) {
            throw new UnreadableCommand("The command is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
        }
    }

    /** The elements of an array, as they stand. */
    static List<byte[]> elements(byte[] json) throws UnreadableCommand {
        List<byte[]> elements = new ArrayList<>();
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) throw new UnreadableCommand("A batch must be an array.");
            for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
                int from = (int) parser.currentTokenLocation().getByteOffset();
                if (t.isStructStart()) parser.skipChildren();
                else parser.finishToken();
                elements.add(Arrays.copyOfRange(
                        json, from, (int) parser.currentLocation().getByteOffset()));
            }
            return elements;
        } catch (JacksonException malformed) {
            throw new UnreadableCommand("The batch is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
        }
    }

    @Nullable
    JsonNode node(String name) {
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private JsonNode required(String name) throws UnreadableCommand {
        JsonNode value = node(name);
        if (value == null) throw new UnreadableCommand("The command lacks '%s'.".formatted(name));
        return value;
    }

    String text(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        if (!value.isString()) throw new UnreadableCommand("'%s' must be a string.".formatted(name));
        return value.stringValue();
    }

    @Nullable
    String optionalText(String name) throws UnreadableCommand {
        return node(name) == null ? null : text(name);
    }

    List<String> texts(String name) throws UnreadableCommand {
        List<String> texts = new ArrayList<>();
        for (JsonNode item : required(name)) {
            if (!item.isString()) throw new UnreadableCommand("'%s' must hold strings.".formatted(name));
            texts.add(item.stringValue());
        }
        return texts;
    }

    long number(String name) throws UnreadableCommand {
        JsonNode value = required(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong())
            throw new UnreadableCommand("'%s' must be an integer.".formatted(name));
        return value.longValue();
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

    byte[] raw(String name) throws UnreadableCommand {
        return Json.bytes(required(name));
    }

    byte @Nullable [] optionalRaw(String name) {
        JsonNode value = node(name);
        return value == null ? null : Json.bytes(value);
    }

    List<byte[]> raws(String name) throws UnreadableCommand {
        return required(name).valueStream().map(Json::bytes).toList();
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
        return JobId.parse(text).orElseThrow(() -> new UnreadableCommand("'%s' is no job id.".formatted(text)));
    }

    LogId log(String name) throws UnreadableCommand {
        String text = text(name);
        try {
            return LogId.parse(text);
        } catch (RuntimeException malformed) {
            throw new UnreadableCommand("'%s' is no log.".formatted(text));
        }
    }

    List<Claim> claims(String name) throws UnreadableCommand {
        List<Claim> claims = new ArrayList<>();
        for (JsonNode item : required(name)) {
            JsonFields claim = new JsonFields(item);
            claims.add(new Claim(claim.job("job_id"), claim.text("queue")));
        }
        return claims;
    }

    @Nullable
    Refusal optionalRefusal(String name) throws UnreadableCommand {
        JsonNode value = node(name);
        if (value == null) return null;
        try {
            return Reply.readRefusal(Json.bytes(value));
        } catch (RuntimeException malformed) {
            throw new UnreadableCommand("'%s' is no refusal.".formatted(name));
        }
    }
}
