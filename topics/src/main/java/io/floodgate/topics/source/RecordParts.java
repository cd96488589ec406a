package io.floodgate.topics.source;

import io.floodgate.topics.command.SourceCommand.ValueForm;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Utf8;
import io.floodgate.topics.template.JsonTemplate;
import io.floodgate.topics.template.Unmappable;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The parts of a record as JSON, each of which is read once it is asked for. */
final class RecordParts implements JsonTemplate.Parts<RecordPath> {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** What Confluent's serializers write first: a zero, and the id of a schema. */
    private static final int CONFLUENT_PREFIX = 5;

    private final SourceRecord record;
    private final ValueForm form;
    private @Nullable JsonNode value;

    RecordParts(SourceRecord record, ValueForm form) {
        this.record = record;
        this.form = form;
    }

    @Override
    public @Nullable JsonNode at(RecordPath path) throws Unmappable {
        JsonNode node = switch (path.root()) {
            case VALUE -> path.in(value());
            case KEY -> path.in(key(path));
            case HEADERS -> header(path.header());
            case TOPIC -> NODES.stringNode(record.topic());
            case PARTITION -> NODES.numberNode(record.partition());
            case OFFSET -> NODES.numberNode(record.offset());
            case TIMESTAMP -> NODES.stringNode(record.timestamp().toString());
        };
        if (!node.isMissingNode()) return node;
        if (path.path().isOptional()) return null;
        throw path.missing();
    }

    private JsonNode value() throws Unmappable {
        if (value == null) value = read();
        return value;
    }

    private JsonNode read() throws Unmappable {
        byte[] bytes = record.value();
        if (bytes == null) return NODES.missingNode();
        return switch (form) {
            case JSON -> Json.tree(bytes);
            case CONFLUENT_JSON -> {
                if (bytes.length < CONFLUENT_PREFIX || bytes[0] != 0)
                    throw new Unmappable(
                            "The value does not begin as Confluent's serializers write it: 0, and the id of a schema.");
                yield Json.tree(Arrays.copyOfRange(bytes, CONFLUENT_PREFIX, bytes.length));
            }
            case TEXT -> {
                String text = Utf8.text(bytes);
                if (text == null) throw new Unmappable("The value is no text in UTF-8.");
                yield NODES.stringNode(text);
            }
            case BASE64 -> NODES.stringNode(Base64.getEncoder().encodeToString(bytes));
        };
    }

    /** A key is a text, unless a part of it is asked for. */
    private JsonNode key(RecordPath path) {
        byte[] bytes = record.key();
        if (bytes == null) return NODES.missingNode();
        return path.isWhole() ? textOrBase64(bytes) : Json.tree(bytes);
    }

    private JsonNode header(String name) {
        byte[] value = record.headers().apply(name);
        return value == null ? NODES.missingNode() : textOrBase64(value);
    }

    private static JsonNode textOrBase64(byte[] bytes) {
        String text = Utf8.text(bytes);
        return NODES.stringNode(text == null ? Base64.getEncoder().encodeToString(bytes) : text);
    }
}
