package io.floodgate.topics.source;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The job that becomes of each record of a source: a job as it would be enqueued, in which texts that begin with {@code $.} are
 * paths into the record. A text that begins with {@code $$} stands for itself, with one of these signs.
 */
public final class SourceTemplate {
    private static final String ARGS = "args";

    private static final String TYPE = "type";
    private static final String META = "meta";
    private static final String SOURCE = "source";

    /** What paths lead to. */
    @FunctionalInterface
    interface Parts {
        /** Returns null for what is missing and may be. */
        @Nullable
        JsonNode at(RecordPath path) throws UnmappableRecord;
    }

    private sealed interface Part {}

    private record Literal(JsonNode node) implements Part {}

    private record Members(Map<String, Part> members) implements Part {}

    private record Elements(List<Part> elements) implements Part {}

    private record Reference(RecordPath path) implements Part {}

    private final String source;
    private final Mapping mapping;
    private final Members job;

    private SourceTemplate(String source, Mapping mapping, Members job) {
        this.source = source;
        this.mapping = mapping;
        this.job = job;
    }

    /** @throws IllegalArgumentException if it cannot be used, with the reason */
    public static SourceTemplate of(String source, Mapping mapping) {
        JsonNode tree;
        try {
            tree = Json.tree(mapping.job());
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("it is not well-formed JSON", malformed);
        }
        if (!tree.isObject()) throw new IllegalArgumentException("it must be an object: a job, with paths");
        if (tree.has("queue")) throw new IllegalArgumentException("the queue is that of the source");
        if (!tree.path(TYPE).isString()) throw new IllegalArgumentException("it needs a 'type'");
        Part job = part(tree);
        if (!(job instanceof Members members)) throw new IllegalStateException("an object has members");
        Map<String, Part> all = new LinkedHashMap<>(members.members);
        all.putIfAbsent(ARGS, new Elements(List.of(path("$.value"))));
        return new SourceTemplate(source, mapping, new Members(all));
    }

    private static Part part(JsonNode node) {
        if (node.isString()) return text(node);
        if (node.isArray()) {
            List<Part> elements = new ArrayList<>();
            for (JsonNode element : node) elements.add(part(element));
            return new Elements(elements);
        }
        if (!node.isObject()) return new Literal(node);
        Map<String, Part> members = new LinkedHashMap<>();
        for (var member : node.properties()) members.put(member.getKey(), part(member.getValue()));
        return new Members(members);
    }

    private static Part text(JsonNode node) {
        String text = node.stringValue();
        if (text.startsWith("$$"))
            return new Literal(Json.MAPPER.getNodeFactory().stringNode(text.substring(1)));
        return text.startsWith("$") ? path(text) : new Literal(node);
    }

    private static Reference path(String text) {
        return new Reference(RecordPath.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no path: use $.key, $.value, $.headers.NAME, $.topic, $.partition, $.offset or $.timestamp, and parts of the first two, such as $.value.items[0].id; $$ stands for a plain $"
                                .formatted(Limits.echo(text)))));
    }

    /** Returns the job without what comes from the record, by which mistakes are found before any record is read. */
    public byte[] literals() {
        ObjectNode whole = Json.MAPPER.createObjectNode();
        job.members.forEach((name, part) -> {
            JsonNode literal = literal(part);
            if (literal != null) whole.set(name, literal);
            else if (name.equals(TYPE)) whole.put(name, SOURCE);
            else if (name.equals(ARGS)) whole.putArray(name);
            else whole.putNull(name);
        });
        return Json.MAPPER.writeValueAsBytes(whole);
    }

    private static @Nullable JsonNode literal(Part part) {
        try {
            return resolve(part, path -> {
                throw path.missing();
            });
        } catch (UnmappableRecord ofRecord) {
            return null;
        }
    }

    /** Returns the job as JSON, which has not been looked at yet. */
    public byte[] job(SourceRecord record) throws UnmappableRecord {
        try {
            JsonNode made = resolve(job, new RecordParts(record, mapping.value()));
            if (!(made instanceof ObjectNode whole)) throw new IllegalStateException("an object becomes one");
            JsonNode meta = whole.path(META);
            if (!whole.has(META)) meta = whole.putObject(META);
            if (meta instanceof ObjectNode members && !members.has(SOURCE))
                members.putObject(SOURCE)
                        .put("name", source)
                        .put("topic", record.topic())
                        .put("partition", record.partition())
                        .put("offset", record.offset());
            return Json.MAPPER.writeValueAsBytes(whole);
        } catch (JacksonException malformed) {
            throw new UnmappableRecord(
                    "The record is not well-formed JSON: %s".formatted(Limits.echo(malformed.getOriginalMessage())));
        }
    }

    /** Returns null for what is missing and may be. */
    private static @Nullable JsonNode resolve(Part part, Parts record) throws UnmappableRecord {
        return switch (part) {
            case Literal literal -> literal.node;
            case Reference reference -> record.at(reference.path);
            case Elements list -> {
                ArrayNode elements = Json.MAPPER.createArrayNode();
                for (Part each : list.elements) {
                    JsonNode element = resolve(each, record);
                    if (element == null) elements.addNull();
                    else elements.add(element);
                }
                yield elements;
            }
            case Members object -> {
                ObjectNode members = Json.MAPPER.createObjectNode();
                for (var each : object.members.entrySet()) {
                    JsonNode member = resolve(each.getValue(), record);
                    if (member != null) members.set(each.getKey(), member);
                }
                yield members;
            }
        };
    }
}
