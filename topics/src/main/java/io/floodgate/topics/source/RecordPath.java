package io.floodgate.topics.source;

import io.floodgate.topics.template.JsonPath;
import io.floodgate.topics.template.Unmappable;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A path into a record, as {@code $.value.items[0].sku}. Of a header, the only step is its name. */
record RecordPath(Root root, JsonPath path) {
    private static final String HEADERS = "$.headers.";

    /** What a path begins with. */
    enum Root {
        KEY,
        VALUE,
        HEADERS,
        TOPIC,
        PARTITION,
        OFFSET,
        TIMESTAMP
    }

    /** Empty for a text that is no path. */
    static Optional<RecordPath> parse(String text) {
        // Names of headers have dots.
        if (text.startsWith(HEADERS)) return header(text);
        return JsonPath.parse(text).flatMap(path -> {
            for (Root root : Root.values()) {
                boolean isDeep = root == Root.KEY || root == Root.VALUE;
                if (root != Root.HEADERS
                        && path.steps().getFirst().equals(root.name().toLowerCase(Locale.ROOT))
                        && (isDeep || path.steps().size() == 1)) return Optional.of(new RecordPath(root, path));
            }
            return Optional.empty();
        });
    }

    private static Optional<RecordPath> header(String text) {
        boolean isOptional = text.endsWith("?");
        String name = text.substring(HEADERS.length(), text.length() - (isOptional ? 1 : 0));
        return name.isEmpty()
                ? Optional.empty()
                : Optional.of(new RecordPath(Root.HEADERS, new JsonPath(text, List.of(name), isOptional)));
    }

    String header() {
        return path.steps().getFirst();
    }

    /** Returns whether it is about all of what it begins with. */
    boolean isWhole() {
        return path.steps().size() == 1;
    }

    /** Returns what is there, inside of what the path begins with; a missing node if nothing is. */
    JsonNode in(JsonNode node) {
        return path.in(node, 1);
    }

    Unmappable missing() {
        return path.missing("record");
    }
}
