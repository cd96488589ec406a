package io.floodgate.topics.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one configuration of Jackson: strict, with limits that hostile input runs into early. */
public final class Json {
    /** Nesting beyond this is rejected; the specification's payloads stay far below. */
    public static final int MAX_DEPTH = 100;

    /** For what clients send. */
    public static final JsonFactory FACTORY = factory(MAX_DEPTH);

    /** For what we put together: whatever a client may nest must stay readable inside a batch, message or history. */
    static final JsonFactory CARRIED = factory(MAX_DEPTH + 10);

    public static final JsonMapper MAPPER = JsonMapper.builder(CARRIED)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final int REPLACEMENT = 0xFFFD;

    private Json() {}

    private static JsonFactory factory(int maxDepth) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxNumberLength(1_000)
                        .maxNameLength(10_000)
                        .maxStringLength(64 * 1024 * 1024)
                        .build())
                .build();
    }

    /** The document as a tree. */
    public static JsonNode tree(byte[] json) throws JacksonException {
        return tree(json, 0, json.length);
    }

    /** The document as a tree; JSON's null if it has a number beyond all reason. */
    public static JsonNode reasonableTree(byte[] json) {
        try {
            return tree(json);
        } catch (JacksonException unreasonable) {
            return MAPPER.nullNode();
        }
    }

    /** For an exponent beyond all reason, Jackson lets a number format exception through; no caller expects it. */
    static JsonNode tree(byte[] json, int from, int length) throws JacksonException {
        try {
            return MAPPER.readTree(json, from, length);
        } catch (NumberFormatException unreasonable) {
            throw new StreamReadException("A number is beyond all reason.");
        }
    }

    /**
     * The text of a string node, as UTF-8 can carry it: half a surrogate pair, which JSON can spell, would come back from a
     * store as something else.
     */
    public static String text(JsonNode string) {
        String text = string.stringValue();
        if (!hasSurrogates(text)) return text;
        return text.codePoints()
                .map(c -> isHalfPair(c) ? REPLACEMENT : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Looked for in each text of each command: a stream would cost more than all else here. */
    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) if (Character.isSurrogate(text.charAt(i))) return true;
        return false;
    }

    private static boolean isHalfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /** As {@link #bytes}, with U+FFFD instead of half a surrogate pair. */
    public static byte[] textBytes(JsonNode tree) {
        return HalfPairs.replace(bytes(tree));
    }

    /** Never fails and never holds a line feed, unlike Jackson's own writer: it rejects half a surrogate pair. */
    public static byte[] bytes(JsonNode tree) {
        return new JsonOut().value(tree).toBytes();
    }
}
