package io.floodgate.topics.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Appends compact JSON to a growing byte array. Jobs are shown, replied and announced by gluing fragments that already
 * are JSON, which no generator offers without parsing them again; hence this writer.
 *
 * <p>The output never holds a raw line feed, so that fragments can be sent as lines.
 */
public final class JsonOut {
    private static final int LARGE = 64 * 1024;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes;
    private int length;
    private boolean comma;

    public JsonOut() {
        this(256);
    }

    public JsonOut(int capacity) {
        bytes = new byte[capacity];
    }

    /** Begins an object that is to be written. */
    public static JsonOut object() {
        return new JsonOut().beginObject();
    }

    public static JsonOut object(int capacity) {
        return new JsonOut(capacity).beginObject();
    }

    public JsonOut beginObject() {
        return begin('{');
    }

    public JsonOut beginObject(String name) {
        return name(name).beginObject();
    }

    public JsonOut endObject() {
        return end('}');
    }

    public JsonOut beginArray() {
        return begin('[');
    }

    public JsonOut beginArray(String name) {
        return name(name).beginArray();
    }

    public JsonOut endArray() {
        return end(']');
    }

    public JsonOut name(String name) {
        separate();
        quote(name);
        put(':');
        comma = false;
        return this;
    }

    public JsonOut value(String value) {
        separate();
        quote(value);
        return this;
    }

    public JsonOut value(long value) {
        separate();
        ascii(Long.toString(value));
        return this;
    }

    /** A finite number; whole numbers are written without a fraction only when they come as {@code long}. */
    public JsonOut value(double value) {
        separate();
        ascii(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    public JsonOut value(boolean value) {
        separate();
        ascii(value ? "true" : "false");
        return this;
    }

    JsonOut value(JsonNode tree) {
        if (tree.isObject()) {
            beginObject();
            for (var field : tree.properties()) name(field.getKey()).value(field.getValue());
            return endObject();
        }
        if (tree.isArray()) {
            beginArray();
            for (JsonNode element : tree) value(element);
            return endArray();
        }
        if (tree.isString()) return value(tree.stringValue());
        separate();
        if (tree.isNumber()) ascii(tree.numberValue().toString());
        else ascii(tree.isBoolean() ? Boolean.toString(tree.booleanValue()) : "null");
        return this;
    }

    /** A fragment that is JSON already. Line feeds in it, which can only be white space, become blanks. */
    public JsonOut raw(byte[] json) {
        return raw(json, 0, json.length);
    }

    public JsonOut raw(byte[] json, int from, int to) {
        separate();
        copyWithoutLineFeeds(json, from, to);
        return this;
    }

    /** The members of an object, without its braces, as further members of the current one. */
    public JsonOut members(byte[] object) {
        int from = 0;
        int to = object.length;
        while (object[from] != '{') from++;
        while (object[to - 1] != '}') to--;
        do from++;
        while (object[from] <= ' ' && from < to - 1);
        if (from < to - 1) {
            separate();
            copyWithoutLineFeeds(object, from, to - 1);
        }
        return this;
    }

    public JsonOut field(String name, String value) {
        return name(name).value(value);
    }

    public JsonOut field(String name, long value) {
        return name(name).value(value);
    }

    public JsonOut field(String name, double value) {
        return name(name).value(value);
    }

    public JsonOut field(String name, boolean value) {
        return name(name).value(value);
    }

    public JsonOut field(String name, Instant value) {
        return name(name).value(Timestamps.format(value));
    }

    public JsonOut fieldRaw(String name, byte[] json) {
        return name(name).raw(json);
    }

    public JsonOut field(String name, List<String> values) {
        name(name).beginArray();
        values.forEach(this::value);
        return endArray();
    }

    /** The field, unless there is no value: OJS omits, it never writes null. */
    public JsonOut optional(String name, @Nullable String value) {
        return value == null ? this : field(name, value);
    }

    public JsonOut optional(String name, @Nullable Long value) {
        return value == null ? this : field(name, (long) value);
    }

    public JsonOut optional(String name, @Nullable Instant value) {
        return value == null ? this : field(name, value);
    }

    public JsonOut optionalRaw(String name, byte @Nullable [] json) {
        return json == null ? this : fieldRaw(name, json);
    }

    /** Ends a line: the next value starts afresh. */
    public JsonOut newLine() {
        put('\n');
        comma = false;
        return this;
    }

    /** What another writer has written so far, line feeds included. */
    public JsonOut append(JsonOut other) {
        ensure(other.length);
        System.arraycopy(other.bytes, 0, bytes, length, other.length);
        length += other.length;
        return this;
    }

    public int length() {
        return length;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    public void writeTo(ByteArrayOutputStream out) {
        out.write(bytes, 0, length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private JsonOut begin(char bracket) {
        separate();
        put(bracket);
        comma = false;
        return this;
    }

    private JsonOut end(char bracket) {
        put(bracket);
        comma = true;
        return this;
    }

    private void separate() {
        if (comma) put(',');
        comma = true;
    }

    private void quote(String text) {
        int size = text.length();
        ensure(size + 2);
        bytes[length++] = '"';
        for (int i = 0; i < size; i++) {
            char c = text.charAt(i);
            if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
                bytes[length++] = (byte) c;
            } else {
                i += escapeOrEncode(text, i, c);
                ensure(size - i + 1);
            }
        }
        bytes[length++] = '"';
    }

    /** Writes the character at {@code i} and returns how many further chars it took (1 for a surrogate pair). */
    private int escapeOrEncode(String text, int i, char c) {
        if (c == '"' || c == '\\') {
            put('\\');
            put(c);
            return 0;
        }
        if (c < 0x20 || (Character.isSurrogate(c) && !isPair(text, i, c))) {
            ascii("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) put((char) HEX[(c >> shift) & 0xF]);
            return 0;
        }
        int codePoint = text.codePointAt(i);
        for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) put((char) b);
        return Character.charCount(codePoint) - 1;
    }

    private static boolean isPair(String text, int i, char c) {
        return Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }

    private void ascii(String text) {
        for (int i = 0; i < text.length(); i++) put(text.charAt(i));
    }

    private void copyWithoutLineFeeds(byte[] json, int from, int to) {
        int size = to - from;
        ensure(size);
        System.arraycopy(json, from, bytes, length, size);
        int end = length + size;
        // There are none, nearly always.
        int at = Bytes.findEither(bytes, length, end, '\n', '\r');
        while (at < end) {
            bytes[at] = ' ';
            at = Bytes.findEither(bytes, at + 1, end, '\n', '\r');
        }
        length = end;
    }

    private void put(char b) {
        ensure(1);
        bytes[length++] = (byte) b;
    }

    private void ensure(int more) {
        int needed = length + more;
        if (needed <= bytes.length) return;
        // What is large already has its largest part: the rest is small.
        int generous = needed < LARGE ? bytes.length * 2 : needed + needed / 8;
        bytes = Arrays.copyOf(bytes, Math.max(needed, generous));
    }
}
