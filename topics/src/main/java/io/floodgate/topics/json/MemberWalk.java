package io.floodgate.topics.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the members of a well-formed JSON object (one that Floodgate wrote, or {@link Members} has read) without
 * building or checking anything: replies and events are looked into for a field or two, and otherwise passed on as they are.
 * For everything else there is {@link Members}. What is not well-formed makes it throw a {@link RuntimeException}.
 */
public final class MemberWalk {
    private final byte[] json;
    private int at;
    private int nameFrom;
    private int nameTo;
    private boolean nameEscaped;
    private boolean escaped;
    private int valueFrom;
    private int valueTo;

    public MemberWalk(byte[] object) {
        this(object, start(object));
    }

    /** A client may put white space before the object. */
    private static int start(byte[] object) {
        int at = 0;
        while (object[at] != '{') at++;
        return at;
    }

    private MemberWalk(byte[] json, int start) {
        this.json = json;
        at = start + 1;
    }

    /** Moves to the next member; false when there is none. */
    public boolean next() {
        while (json[at] <= ' ' || json[at] == ',') at++;
        if (json[at] == '}') return false;
        nameFrom = at + 1;
        escaped = false;
        at = endOfString(at);
        nameEscaped = escaped;
        nameTo = at - 1;
        while (json[at] <= ' ' || json[at] == ':') at++;
        valueFrom = at;
        at = endOfValue(at);
        valueTo = at;
        return true;
    }

    public boolean nameIs(String name) {
        if (nameEscaped) return name().equals(name);
        if (nameTo - nameFrom != name.length()) return false;
        for (int i = 0; i < name.length(); i++) if (json[nameFrom + i] != name.charAt(i)) return false;
        return true;
    }

    public String name() {
        if (nameEscaped) return unescaped(nameFrom - 1, nameTo + 1);
        return new String(json, nameFrom, nameTo - nameFrom, StandardCharsets.UTF_8);
    }

    public boolean isScalar() {
        return json[valueFrom] != '{' && json[valueFrom] != '[';
    }

    public boolean isText() {
        return json[valueFrom] == '"';
    }

    public boolean isObject() {
        return json[valueFrom] == '{';
    }

    /** The members of the value, which is an object. */
    public MemberWalk inside() {
        return new MemberWalk(json, valueFrom);
    }

    /** The value without quotes if it is a string; else as it stands. */
    public String text() {
        if (json[valueFrom] != '"') return new String(json, valueFrom, valueTo - valueFrom, StandardCharsets.UTF_8);
        for (int i = valueFrom; i < valueTo; i++) if (json[i] == '\\') return unescaped(valueFrom, valueTo);
        return new String(json, valueFrom + 1, valueTo - valueFrom - 2, StandardCharsets.UTF_8);
    }

    private String unescaped(int from, int to) {
        return Json.MAPPER.readTree(json, from, to - from).stringValue();
    }

    /** Name and value as one more member of the object being written. */
    public void copyTo(JsonOut out) {
        out.raw(json, nameFrom - 1, valueTo);
    }

    public byte[] raw() {
        return Arrays.copyOfRange(json, valueFrom, valueTo);
    }

    /** The text of one member. */
    public static Optional<String> text(byte[] object, String name) {
        MemberWalk members = new MemberWalk(object);
        while (members.next()) if (members.nameIs(name)) return Optional.of(members.text());
        return Optional.empty();
    }

    /** One member as it stands; null if it is absent. */
    public static byte @Nullable [] raw(byte[] object, String name) {
        MemberWalk members = new MemberWalk(object);
        while (members.next()) if (members.nameIs(name)) return members.raw();
        return null;
    }

    private int endOfValue(int from) {
        return switch (json[from]) {
            case '"' -> endOfString(from);
            case '{', '[' -> endOfStructure(from);
            default -> endOfWord(from);
        };
    }

    private int endOfString(int from) {
        int i = Bytes.findEither(json, from + 1, json.length, '"', '\\');
        while (json[i] == '\\') {
            escaped = true;
            i = Bytes.findEither(json, i + 2, json.length, '"', '\\');
        }
        return i + 1;
    }

    private int endOfStructure(int from) {
        int depth = 0;
        int i = from;
        do {
            switch (json[i]) {
                case '"' -> i = endOfString(i) - 1;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {}
            }
            i++;
        } while (depth > 0);
        return i;
    }

    private int endOfWord(int from) {
        int i = from;
        while (json[i] > ' ' && json[i] != ',' && json[i] != '}') i++;
        return i;
    }
}
