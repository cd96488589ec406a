package io.floodgate.topics.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.JsonNode;

/**
 * The members of a JSON object as ranges of its bytes. Arguments are checked for well-formedness on the way but never
 * turned into objects: most of a job is carried, not read.
 */
final class TopLevel {
    private record Slice(int from, int to, JsonToken kind) {}

    private final byte[] json;
    private final Map<String, Slice> members = new LinkedHashMap<>();

    private TopLevel(byte[] json) {
        this.json = json;
    }

    static TopLevel of(byte[] json) throws UnreadableJob {
        checkUtf8(json);
        TopLevel top = new TopLevel(json);
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw invalid("A job must be a JSON object.");
            while (parser.nextToken() != JsonToken.END_OBJECT) top.readMember(parser);
            if (parser.nextToken() != null) throw invalid("There is more after the end of the job.");
        } catch (JacksonException malformed) {
            throw invalid("The job is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
        }
        return top;
    }

    private void readMember(JsonParser parser) throws UnreadableJob {
        String name = parser.currentName();
        JsonToken kind = parser.nextToken();
        int from = (int) parser.currentTokenLocation().getByteOffset();
        if (kind.isStructStart()) parser.skipChildren();
        else parser.finishToken();
        int to = (int) parser.currentLocation().getByteOffset();
        if (members.put(name, new Slice(from, to, kind)) != null)
            throw new UnreadableJob(
                    Refusal.of(ErrorCode.INVALID_PAYLOAD, "The field '%s' is given twice.".formatted(name))
                            .with("field", name));
    }

    /** Jackson would guess UTF-16 and UTF-32, and skips strings without looking closely; both would spoil the copies. */
    private static void checkUtf8(byte[] json) throws UnreadableJob {
        if (json.length == 0) throw invalid("The body is empty; a JSON object was expected.");
        boolean ascii = true;
        for (byte b : json) ascii &= b > 0;
        if (ascii) return;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
        } catch (CharacterCodingException e) {
            throw invalid("The job is not valid UTF-8.");
        }
        if (json[0] == 0 || (json.length > 1 && json[1] == 0)) throw invalid("The job is not valid UTF-8.");
    }

    private static UnreadableJob invalid(String message) {
        return new UnreadableJob(Refusal.of(ErrorCode.INVALID_PAYLOAD, message));
    }

    int size() {
        return json.length;
    }

    Set<String> names() {
        return members.keySet();
    }

    /** Present and not null. */
    boolean has(String name) {
        Slice slice = members.get(name);
        return slice != null && slice.kind != JsonToken.VALUE_NULL;
    }

    boolean isNull(String name) {
        return !has(name);
    }

    boolean isArray(String name) {
        Slice slice = members.get(name);
        return slice != null && slice.kind == JsonToken.START_ARRAY;
    }

    @Nullable
    JsonNode value(String name) {
        Slice slice = members.get(name);
        if (slice == null || slice.kind == JsonToken.VALUE_NULL) return null;
        if (slice.kind == JsonToken.VALUE_STRING && isPlain(slice))
            return Json.MAPPER
                    .getNodeFactory()
                    .stringNode(new String(json, slice.from + 1, slice.to - slice.from - 2, StandardCharsets.US_ASCII));
        return Json.MAPPER.readTree(json, slice.from, slice.to - slice.from);
    }

    private boolean isPlain(Slice slice) {
        for (int i = slice.from; i < slice.to; i++) if (json[i] < 0x20 || json[i] == '\\') return false;
        return true;
    }

    void copy(String name, JsonOut out) {
        Slice slice = members.get(name);
        if (slice != null) out.name(name).raw(json, slice.from, slice.to);
    }
}
