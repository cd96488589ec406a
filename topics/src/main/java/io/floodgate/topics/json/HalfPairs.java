package io.floodgate.topics.json;

import java.nio.charset.StandardCharsets;

/**
 * Half of a surrogate pair, which JSON can spell as an escape, is no text. RFC 8259 calls it unpredictable what readers make of it: some
 * fail, others replace it, and UTF-8 cannot carry it.
 */
final class HalfPairs {
    private static final int ESCAPE_BYTES = 6;
    private static final int HEX = 16;
    private static final byte[] REPLACEMENT = "\\ufffd".getBytes(StandardCharsets.US_ASCII);

    private HalfPairs() {}

    /** Where the first one stands in a part of a document that is well-formed; -1 if there is none. */
    static int find(byte[] json, int from, int to) {
        int at = Bytes.find(json, from, to, '\\');
        while (at < to) {
            boolean isHalf = json[at + 1] == 'u' && Character.isSurrogate(unit(json, at));
            if (isHalf && !isPair(json, at, to)) return at;
            int length = isHalf ? 2 * ESCAPE_BYTES : 2;
            at = Bytes.find(json, at + length, to, '\\');
        }
        return -1;
    }

    /** U+FFFD instead of each half, in a document that is well-formed. */
    static byte[] replace(byte[] json) {
        for (int at = find(json, 0, json.length); at >= 0; at = find(json, at, json.length))
            System.arraycopy(REPLACEMENT, 0, json, at, ESCAPE_BYTES);
        return json;
    }

    private static boolean isPair(byte[] json, int at, int to) {
        int next = at + ESCAPE_BYTES;
        return next + ESCAPE_BYTES < to
                && json[next] == '\\'
                && json[next + 1] == 'u'
                && Character.isSurrogatePair(unit(json, at), unit(json, next));
    }

    private static char unit(byte[] json, int escape) {
        return (char) Integer.parseInt(shown(json, escape).substring(2), HEX);
    }

    /** The escape, as it was sent. */
    static String shown(byte[] json, int escape) {
        return new String(json, escape, ESCAPE_BYTES, StandardCharsets.US_ASCII);
    }

    static MalformedJson rejected(byte[] json, int escape, String field) {
        String shown = Excerpt.of(field);
        return new MalformedJson(
                shown,
                "The field '%s' contains %s, half of a surrogate pair, which is no text. Send the whole character, or \\ufffd instead."
                        .formatted(shown, shown(json, escape)));
    }
}
