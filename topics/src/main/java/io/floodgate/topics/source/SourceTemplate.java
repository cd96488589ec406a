package io.floodgate.topics.source;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SourceCommand.Mapping;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.template.JsonTemplate;
import io.floodgate.topics.template.Unmappable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The job that becomes of each record of a source: a job as it would be enqueued, in which texts that begin with {@code $.} are
 * paths into the record. A text that begins with {@code $$} stands for itself, with one of these signs.
 */
public final class SourceTemplate {
    private static final String ARGS = "args";
    private static final JsonNode VALUE_ALONE = Json.MAPPER.createArrayNode().add("$.value");

    private static final String TYPE = "type";
    private static final String META = "meta";
    private static final String SOURCE = "source";

    private final String source;
    private final Mapping mapping;
    /** By the name of the member. */
    private final Map<String, JsonTemplate<RecordPath>> job;

    private SourceTemplate(String source, Mapping mapping, Map<String, JsonTemplate<RecordPath>> job) {
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
        Map<String, JsonTemplate<RecordPath>> job = new LinkedHashMap<>();
        for (var member : tree.properties())
            job.put(member.getKey(), JsonTemplate.of(member.getValue(), SourceTemplate::path));
        if (!job.containsKey(ARGS)) job.put(ARGS, JsonTemplate.of(VALUE_ALONE, SourceTemplate::path));
        return new SourceTemplate(source, mapping, job);
    }

    private static RecordPath path(String text) {
        return RecordPath.parse(text)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'%s' is no path: use $.key, $.value, $.headers.NAME, $.topic, $.partition, $.offset or $.timestamp, and parts of the first two, such as $.value.items[0].id; $$ stands for a plain $"
                                .formatted(Limits.echo(text))));
    }

    /** Returns the job without what comes from the record, by which mistakes are found before any record is read. */
    public byte[] literals() {
        ObjectNode whole = Json.MAPPER.createObjectNode();
        job.forEach((name, part) -> {
            JsonNode literal = literal(part);
            if (literal != null) whole.set(name, literal);
            else if (name.equals(TYPE)) whole.put(name, SOURCE);
            else if (name.equals(ARGS)) whole.putArray(name);
            else whole.putNull(name);
        });
        return Json.MAPPER.writeValueAsBytes(whole);
    }

    private static @Nullable JsonNode literal(JsonTemplate<RecordPath> part) {
        try {
            return part.resolve(path -> {
                throw path.missing();
            });
        } catch (Unmappable ofRecord) {
            return null;
        }
    }

    /** Returns the job as JSON, which has not been looked at yet. */
    public byte[] job(SourceRecord record) throws Unmappable {
        try {
            RecordParts parts = new RecordParts(record, mapping.value());
            ObjectNode whole = Json.MAPPER.createObjectNode();
            for (var each : job.entrySet()) {
                JsonNode member = each.getValue().resolve(parts);
                if (member != null) whole.set(each.getKey(), member);
            }
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
            throw new Unmappable(
                    "The record is not well-formed JSON: %s".formatted(Limits.echo(malformed.getOriginalMessage())));
        }
    }
}
