package io.floodgate.topics.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of a JSON object as ranges of its bytes. Everything is checked for well-formedness on the way, but only
 * what is asked for is turned into objects: most of a job is carried, digit by digit, not read.
 */
public final class Members {
    /** Numbers with this many digits always fit. */
    private static final int DIGITS_OF_INT = 9;

    private static final int DIGITS_OF_LONG = 18;

    private static final String REPORT = "error";

    /** How many levels of objects are parsed at once: a job has options, and among them a retry policy. */
    private static final int OBJECTS_INSIDE = 2;

    /** No list is longer, nor has an object more members: a few bytes each would take a hundred times as much memory. */
    private static final int MOST_PARTS = 200_000;

    private record Slice(
            int from, int to, JsonToken kind, @Nullable Members inside) {}

    private final byte[] json;
    private final Map<String, Slice> slices = new LinkedHashMap<>();
    private @Nullable String twice;

    private Members(byte[] json) {
        this.json = json;
    }

    /** The members of an object that Floodgate may have put together: a command, a reply, a job with its history. */
    public static Members of(byte[] json) throws MalformedJson {
        return whole(Json.CARRIED, json);
    }

    /**
     * The members of an object that a client made: nested {@link Json#MAX_DEPTH} deep at most, and text throughout. Only what a worker
     * says about a failure may hold half a surrogate pair: the report must not be lost for that.
     */
    public static Members submitted(byte[] json) throws MalformedJson {
        Members members = whole(Json.FACTORY, json);
        Slice report = members.slices.get(REPORT);
        members.rejectHalfPairs(0, report == null ? json.length : report.from);
        if (report != null) members.rejectHalfPairs(report.to, json.length);
        return members;
    }

    /** Throws if the member is no text throughout. */
    public void rejectHalfPairs(String name) throws MalformedJson {
        Slice slice = slices.get(name);
        if (slice != null) rejectHalfPairs(slice.from, slice.to);
    }

    private void rejectHalfPairs(int from, int to) throws MalformedJson {
        int half = HalfPairs.find(json, from, to);
        if (half >= 0) throw HalfPairs.rejected(json, half, place(half));
    }

    /** The member in which a byte stands, with those around it; of a name, itself. */
    private String place(int at) {
        for (Map.Entry<String, Slice> member : slices.entrySet()) {
            Slice slice = member.getValue();
            if (at < slice.from) return member.getKey();
            if (at < slice.to)
                return slice.inside == null ? member.getKey() : member.getKey() + "." + slice.inside.place(at);
        }
        return "";
    }

    /** The elements of an array, as they stand, without line feeds. */
    public static List<byte[]> elements(byte[] json) throws MalformedJson {
        checkUtf8(json);
        return elements(json, 0, json.length);
    }

    /**
     * The elements of the array of this name in an object that a client made, as they stand, without line feeds; null if
     * there is no such array. No more than one beyond {@code most} are looked at. All in one pass.
     */
    public static @Nullable List<byte[]> submittedElements(byte[] json, String name, int most) throws MalformedJson {
        checkUtf8(json);
        List<byte[]> elements = null;
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw new MalformedJson("A JSON object was expected.");
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean wanted = name.equals(parser.currentName());
                if (parser.nextToken() != JsonToken.START_ARRAY || !wanted) {
                    parser.skipChildren();
                    continue;
                }
                if (elements != null) throw new MalformedJson(name, "The field '%s' is given twice.".formatted(name));
                elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(copy(json, slice(parser, 0)));
                    if (elements.size() > most) return elements;
                }
            }
            if (parser.nextToken() != null) throw new MalformedJson("There is more after the end of the JSON object.");
            return elements;
        } catch (JacksonException malformed) {
            throw invalid(malformed);
        }
    }

    private static Members whole(JsonFactory factory, byte[] json) throws MalformedJson {
        checkUtf8(json);
        Members members = new Members(json);
        members.scan(factory, 0, json.length);
        return members;
    }

    private void scan(JsonFactory factory, int from, int to) throws MalformedJson {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), json, from, to - from)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw new MalformedJson("A JSON object was expected.");
            collect(parser, from, OBJECTS_INSIDE);
            if (parser.nextToken() != null) throw new MalformedJson("There is more after the end of the JSON object.");
        } catch (JacksonException malformed) {
            throw invalid(malformed);
        }
        checkNames();
    }

    /** The rest of the object the parser has entered, and the objects inside on the way: all in one pass. */
    private void collect(JsonParser parser, int base, int levels) {
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (slices.size() == MOST_PARTS) throw new StreamReadException(parser, "An object has too many members.");
            Slice slice = parser.nextToken() == JsonToken.START_OBJECT && levels > 0
                    ? inside(parser, base, levels)
                    : slice(parser, base);
            if (slices.put(name, slice) != null) twice = name;
        }
    }

    private Slice inside(JsonParser parser, int base, int levels) {
        int from = base + (int) parser.currentTokenLocation().getByteOffset();
        Members members = new Members(json);
        members.collect(parser, base, levels - 1);
        int to = base + (int) parser.currentLocation().getByteOffset();
        return new Slice(from, to, JsonToken.START_OBJECT, members);
    }

    private void checkNames() throws MalformedJson {
        if (twice != null) throw new MalformedJson(twice, "The field '%s' is given twice.".formatted(twice));
    }

    private static List<byte[]> elements(byte[] json, int from, int to) throws MalformedJson {
        List<byte[]> elements = new ArrayList<>();
        try (JsonParser parser = Json.CARRIED.createParser(ObjectReadContext.empty(), json, from, to - from)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) throw new MalformedJson("A JSON array was expected.");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                Slice slice = slice(parser, from);
                if (elements.size() == MOST_PARTS)
                    throw new MalformedJson("A list has more than %d elements.".formatted(MOST_PARTS));
                elements.add(copy(json, slice));
            }
            if (parser.nextToken() != null) throw new MalformedJson("There is more after the end of the JSON array.");
            return elements;
        } catch (JacksonException malformed) {
            throw invalid(malformed);
        }
    }

    /** The value the parser stands on, to its end. */
    private static Slice slice(JsonParser parser, int base) {
        JsonToken kind = parser.currentToken();
        int from = base + (int) parser.currentTokenLocation().getByteOffset();
        if (kind.isStructStart()) parser.skipChildren();
        else parser.finishToken();
        return new Slice(from, base + (int) parser.currentLocation().getByteOffset(), kind, null);
    }

    private static byte[] copy(byte[] json, Slice slice) {
        return new JsonOut(slice.to - slice.from)
                .raw(json, slice.from, slice.to)
                .toBytes();
    }

    private static MalformedJson invalid(JacksonException malformed) {
        return new MalformedJson("This is not valid JSON: %s".formatted(malformed.getOriginalMessage()));
    }

    /** Jackson would guess UTF-16 and UTF-32, and skips strings without looking closely; both would spoil the copies. */
    private static void checkUtf8(byte[] json) throws MalformedJson {
        if (json.length == 0) throw new MalformedJson("The body is empty; JSON was expected.");
        boolean ascii = true;
        for (byte b : json) ascii &= b > 0;
        if (ascii) return;
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json));
        } catch (CharacterCodingException e) {
            throw new MalformedJson("This is not valid UTF-8.");
        }
        if (json[0] == 0 || (json.length > 1 && json[1] == 0)) throw new MalformedJson("This is not valid UTF-8.");
    }

    public Set<String> names() {
        return slices.keySet();
    }

    /** Present and not null. */
    public boolean has(String name) {
        return find(name) != null;
    }

    public boolean isObject(String name) {
        return is(name, JsonToken.START_OBJECT);
    }

    public boolean isArray(String name) {
        return is(name, JsonToken.START_ARRAY);
    }

    public boolean isString(String name) {
        return is(name, JsonToken.VALUE_STRING);
    }

    private boolean is(String name, JsonToken kind) {
        Slice slice = slices.get(name);
        return slice != null && slice.kind == kind;
    }

    private @Nullable Slice find(String name) {
        Slice slice = slices.get(name);
        return slice == null || slice.kind == JsonToken.VALUE_NULL ? null : slice;
    }

    /** The member's length in bytes, 0 if it is absent. */
    public int size(String name) {
        Slice slice = slices.get(name);
        return slice == null ? 0 : slice.to - slice.from;
    }

    /** The member as a tree, or null if it is absent. Throws for numbers beyond all reason. */
    public @Nullable JsonNode value(String name) throws JacksonException {
        Slice slice = find(name);
        return slice == null ? null : value(slice);
    }

    private JsonNode value(Slice slice) {
        JsonNodeFactory nodes = Json.MAPPER.getNodeFactory();
        return switch (slice.kind) {
            case VALUE_NULL -> nodes.nullNode();
            case VALUE_TRUE -> nodes.booleanNode(true);
            case VALUE_FALSE -> nodes.booleanNode(false);
            case VALUE_STRING -> isPlain(slice) ? nodes.stringNode(ascii(slice.from + 1, slice.to - 1)) : tree(slice);
            case VALUE_NUMBER_INT ->
                slice.to - slice.from <= DIGITS_OF_INT ? nodes.numberNode((int) digits(slice)) : tree(slice);
            case VALUE_NUMBER_FLOAT ->
                isShortDecimal(slice) ? nodes.numberNode(new BigDecimal(ascii(slice.from, slice.to))) : tree(slice);
            default -> slice.inside == null ? tree(slice) : slice.inside.tree();
        };
    }

    /** Of what was taken apart already. */
    private JsonNode tree() {
        ObjectNode tree = Json.MAPPER.createObjectNode();
        slices.forEach((name, slice) -> tree.set(name, value(slice)));
        return tree;
    }

    private boolean isShortDecimal(Slice slice) {
        for (int i = slice.from; i < slice.to; i++) if (json[i] > '9') return false; // an exponent
        return slice.to - slice.from <= DIGITS_OF_LONG;
    }

    private String ascii(int from, int to) {
        return new String(json, from, to - from, StandardCharsets.US_ASCII);
    }

    private JsonNode tree(Slice slice) {
        return Json.tree(json, slice.from, slice.to - slice.from);
    }

    private boolean isPlain(Slice slice) {
        for (int i = slice.from; i < slice.to; i++) if (json[i] < 0x20 || json[i] == '\\') return false;
        return true;
    }

    private long digits(Slice slice) {
        boolean negative = json[slice.from] == '-';
        long number = 0;
        for (int i = negative ? slice.from + 1 : slice.from; i < slice.to; i++) number = number * 10 + (json[i] - '0');
        return negative ? -number : number;
    }

    /** The string of this name, or null if there is none. */
    public @Nullable String text(String name) {
        if (!isString(name)) return null;
        Slice slice = find(name);
        if (slice == null) return null;
        return isPlain(slice) ? ascii(slice.from + 1, slice.to - 1) : Json.text(tree(slice));
    }

    /** The strings of the array of this name; null if it is not an array of strings only. */
    public @Nullable List<String> texts(String name) {
        JsonNode array = isArray(name) ? value(name) : null;
        if (array == null) return null;
        List<String> texts = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            if (!element.isString()) return null;
            texts.add(Json.text(element));
        }
        return texts;
    }

    /** The integer of this name, or null if there is none that fits. */
    public @Nullable Long number(String name) {
        Slice slice = slices.get(name);
        if (slice == null || slice.kind != JsonToken.VALUE_NUMBER_INT) return null;
        if (slice.to - slice.from <= DIGITS_OF_LONG) return digits(slice);
        if (slice.to - slice.from > DIGITS_OF_LONG + 2) return null;
        JsonNode value = tree(slice);
        return value.canConvertToLong() ? (Long) value.longValue() : null;
    }

    /** The members of the object of this name; null if there is no such object. */
    public @Nullable Members object(String name) throws MalformedJson {
        Slice slice = slices.get(name);
        if (slice == null || slice.kind != JsonToken.START_OBJECT) return null;
        Members members = slice.inside;
        if (members == null) {
            members = new Members(json);
            members.scan(Json.CARRIED, slice.from, slice.to);
        }
        members.checkNames();
        return members;
    }

    /** The objects in the array of this name; none if there is no such array. */
    public List<Members> objects(String name) throws MalformedJson {
        List<Members> objects = new ArrayList<>();
        for (byte[] element : elements(name)) objects.add(of(element));
        return objects;
    }

    /** The elements of the array of this name, as they stand, without line feeds; none if there is no such array. */
    public List<byte[]> elements(String name) throws MalformedJson {
        Slice slice = slices.get(name);
        if (slice == null || slice.kind != JsonToken.START_ARRAY) return List.of();
        return elements(json, slice.from, slice.to);
    }

    /** The member as it stands, without line feeds; null if it is absent. */
    public byte @Nullable [] raw(String name) {
        Slice slice = find(name);
        return slice == null ? null : copy(json, slice);
    }

    /** Appends name and value as they stand; nothing if there is no such member. */
    public void copy(String name, JsonOut out) {
        Slice slice = slices.get(name);
        if (slice != null) out.name(name).raw(json, slice.from, slice.to);
    }
}
