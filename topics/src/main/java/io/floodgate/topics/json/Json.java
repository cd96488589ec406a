package io.floodgate.topics.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one configuration of Jackson: strict, with limits that hostile input runs into early. */
public final class Json {
    /** Nesting beyond this is refused; the specification's payloads stay far below. */
    public static final int MAX_DEPTH = 100;

    public static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(1_000)
                    .maxNameLength(10_000)
                    .maxStringLength(64 * 1024 * 1024)
                    .build())
            .build();

    public static final JsonMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Json() {}

    /** The document as a tree. */
    public static JsonNode tree(byte[] json) throws JacksonException {
        return MAPPER.readTree(json);
    }

    public static byte[] bytes(JsonNode tree) {
        return MAPPER.writeValueAsBytes(tree);
    }
}
