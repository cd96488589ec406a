package io.floodgate.topics.unique;

import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * JSON in one spelling: members in order, no spaces, strings in NFC, numbers by their exact value. RFC 8785 writes numbers as
 * doubles, so that two large integers would be the same: here they are not.
 */
final class CanonicalJson {
    /** Longer numbers are written with an exponent. */
    private static final int MOST_DIGITS = 40;

    /**
     * Marks in a row, as in the Stream-Safe Text Format (Unicode annex 15). NFC sorts the marks of a letter, in a time that grows
     * with the square of their number.
     */
    private static final int MOST_MARKS = 30;

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private CanonicalJson() {}

    /** @param json well-formed; most of it is in this spelling already */
    static void write(byte[] json, JsonOut out) throws UnreadableUnique {
        if (new CanonicalScan(json).isCanonical()) out.raw(json);
        else write(Json.tree(json), out);
    }

    static JsonOut write(JsonNode node, JsonOut out) throws UnreadableUnique {
        if (node.isObject()) {
            List<Map.Entry<String, JsonNode>> members = new ArrayList<>(node.size());
            for (Map.Entry<String, JsonNode> member : node.properties())
                members.add(Map.entry(normal(member.getKey()), member.getValue()));
            members.sort(Map.Entry.comparingByKey());
            out.beginObject();
            for (Map.Entry<String, JsonNode> member : members) write(member.getValue(), out.name(member.getKey()));
            return out.endObject();
        }
        if (node.isArray()) {
            out.beginArray();
            for (JsonNode element : node) write(element, out);
            return out.endArray();
        }
        if (node.isString()) return out.value(normal(Json.text(node)));
        if (node.isInt() || node.isLong()) return out.value(node.longValue());
        if (node.isNumber()) return out.raw(number(node.decimalValue()).getBytes(StandardCharsets.US_ASCII));
        if (node.isBoolean()) return out.value(node.booleanValue());
        return out.raw(NULL);
    }

    static String normal(String text) throws UnreadableUnique {
        // Most text is ASCII, which is normal as it is.
        if (isAscii(text)) return text;
        rejectManyMarks(text);
        return Normalizer.normalize(text, Normalizer.Form.NFC);
    }

    private static void rejectManyMarks(String text) throws UnreadableUnique {
        int marks = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            marks = isMark(text.codePointAt(i)) ? marks + 1 : 0;
            if (marks > MOST_MARKS)
                throw new UnreadableUnique(
                        "unique",
                        "A text that is part of the unique key has more than %d combining marks in a row, as in '%s'. Remove them, or send a 'unique.unique_key'."
                                .formatted(MOST_MARKS, Excerpt.of(text)));
        }
    }

    private static boolean isMark(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) > 0x7f) return false;
        return true;
    }

    static String number(BigDecimal value) {
        if (value.signum() == 0) return "0";
        BigDecimal exact = value.stripTrailingZeros();
        long digits = exact.scale() <= 0
                ? (long) exact.precision() - exact.scale()
                : Math.max(exact.precision(), exact.scale() + 1L);
        if (digits < MOST_DIGITS) return exact.toPlainString();
        return exact.unscaledValue() + "e" + -(long) exact.scale();
    }
}
