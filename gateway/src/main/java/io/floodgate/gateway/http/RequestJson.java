package io.floodgate.gateway.http;

import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;

/**
 * The members of a request's JSON object. The body is read once; results and errors are carried on as the bytes they
 * came in. An explicit null counts as absent.
 */
public final class RequestJson {
    static final RequestJson EMPTY = new RequestJson(new byte[0]);

    private static final Duration LONGEST = Durations.LONGEST;

    private record Slice(int from, int to, JsonToken kind) {}

    private final byte[] json;
    private final Map<String, Slice> members = new LinkedHashMap<>();

    private RequestJson(byte[] json) {
        this.json = json;
    }

    public static RequestJson of(byte[] body) throws RefusedException {
        checkText(body);
        RequestJson read = new RequestJson(body);
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw invalid("The body must be a JSON object.");
            while (parser.nextToken() != JsonToken.END_OBJECT) read.readMember(parser);
            if (parser.nextToken() != null) throw invalid("There is more after the end of the JSON object.");
        } catch (JacksonException malformed) {
            throw invalid("The body is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
        }
        return read;
    }

    private void readMember(JsonParser parser) throws RefusedException {
        String name = parser.currentName();
        JsonToken kind = parser.nextToken();
        int from = (int) parser.currentTokenLocation().getByteOffset();
        if (kind.isStructStart()) parser.skipChildren();
        else parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        if (members.put(name, new Slice(from, to, kind)) != null)
            throw invalid("The field '%s' is given twice.".formatted(name));
    }

    /** Jackson would guess other encodings, and does not look closely at strings it skips. */
    public static void checkText(byte[] body) throws RefusedException {
        if (body.length == 0) throw invalid("The body is empty; a JSON object was expected.");
        boolean ascii = true;
        for (byte b : body) ascii &= b > 0;
        if (ascii) return;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
        } catch (CharacterCodingException e) {
            throw invalid("The body is not valid UTF-8.");
        }
        if (body[0] == 0 || (body.length > 1 && body[1] == 0)) throw invalid("The body is not valid UTF-8.");
    }

    public static RefusedException invalid(String message) {
        return new RefusedException(Refusal.of(ErrorCode.INVALID_PAYLOAD, message));
    }

    /** A field that is there but not as it must be. */
    public static RefusedException wrong(String field, String message) {
        return new RefusedException(
                Refusal.of(ErrorCode.INVALID_REQUEST, message).with("field", field));
    }

    private @Nullable Slice find(String name) {
        Slice slice = members.get(name);
        return slice == null || slice.kind == JsonToken.VALUE_NULL ? null : slice;
    }

    public boolean has(String name) {
        return find(name) != null;
    }

    public boolean isArray(String name) {
        Slice slice = find(name);
        return slice != null && slice.kind == JsonToken.START_ARRAY;
    }

    /** The value as it was sent. */
    public byte @Nullable [] raw(String name) {
        Slice slice = find(name);
        return slice == null ? null : java.util.Arrays.copyOfRange(json, slice.from, slice.to);
    }

    public @Nullable JsonNode tree(String name) throws RefusedException {
        Slice slice = find(name);
        if (slice == null) return null;
        try {
            return Json.MAPPER.readTree(json, slice.from, slice.to - slice.from);
        } catch (JacksonException malformed) {
            throw invalid("The field '%s' is not valid JSON: %s".formatted(name, malformed.getOriginalMessage()));
        }
    }

    public @Nullable String text(String name) throws RefusedException {
        Slice slice = find(name);
        if (slice == null) return null;
        if (slice.kind != JsonToken.VALUE_STRING) throw wrong(name, "The '%s' field must be a string.".formatted(name));
        for (int i = slice.from; i < slice.to; i++) if (json[i] == '\\') return escaped(name);
        return new String(json, slice.from + 1, slice.to - slice.from - 2, StandardCharsets.UTF_8);
    }

    private @Nullable String escaped(String name) throws RefusedException {
        JsonNode node = tree(name);
        return node == null ? null : Json.text(node);
    }

    /** The text of the first of these fields that is there. */
    public String requiredText(String... names) throws RefusedException {
        for (String name : names) {
            String text = text(name);
            if (text != null && !text.isEmpty()) return text;
        }
        throw wrong(names[0], "The '%s' field is required.".formatted(names[0]));
    }

    public Optional<Long> number(String name) throws RefusedException {
        Slice slice = find(name);
        if (slice == null) return Optional.empty();
        try {
            if (slice.kind == JsonToken.VALUE_NUMBER_INT)
                return Optional.of(
                        Long.parseLong(new String(json, slice.from, slice.to - slice.from, StandardCharsets.US_ASCII)));
        } catch (NumberFormatException tooLong) {
            throw wrong(name, "The '%s' field is out of range.".formatted(name));
        }
        throw wrong(name, "The '%s' field must be an integer.".formatted(name));
    }

    public boolean flag(String name) throws RefusedException {
        Slice slice = find(name);
        if (slice == null || slice.kind == JsonToken.VALUE_FALSE) return false;
        if (slice.kind == JsonToken.VALUE_TRUE) return true;
        throw wrong(name, "The '%s' field must be true or false.".formatted(name));
    }

    public List<String> texts(String name) throws RefusedException {
        JsonNode array = tree(name);
        List<String> texts = new ArrayList<>();
        if (array == null) return texts;
        for (JsonNode item : array) if (item.isString()) texts.add(Json.text(item));
        if (!array.isArray() || texts.size() != array.size())
            throw wrong(name, "The '%s' field must be a list of strings.".formatted(name));
        return texts;
    }

    /** A length in milliseconds under one name, or in seconds or ISO 8601 under the other; more than zero. */
    public @Nullable Duration length(String millisName, String otherName) throws RefusedException {
        Optional<Long> millis = number(millisName);
        if (millis.isPresent()) return positive(millisName, millis.get());
        JsonNode other = tree(otherName);
        if (other == null) return null;
        if (other.isString()) {
            Optional<Duration> parsed = Durations.parse(other.stringValue());
            if (parsed.isPresent()) return positive(otherName, parsed.get().toMillis());
        }
        if (other.isNumber() && Math.abs(other.doubleValue()) <= LONGEST.toSeconds())
            return positive(otherName, (long) (other.doubleValue() * 1_000));
        throw wrong(otherName, "The '%s' field must be seconds or an ISO 8601 duration.".formatted(otherName));
    }

    private static Duration positive(String name, long millis) throws RefusedException {
        if (millis <= 0 || millis > LONGEST.toMillis())
            throw wrong(name, "The '%s' field must be more than zero and at most a century.".formatted(name));
        return Duration.ofMillis(millis);
    }
}
