package io.floodgate.topics.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.SinkCommand.Target;
import io.floodgate.topics.command.SourceCommand;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.queue.NamePatterns;
import io.floodgate.topics.template.JsonPath;
import io.floodgate.topics.template.JsonTemplate;
import io.floodgate.topics.template.Unmappable;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The record that becomes of each outcome: {@code key}, {@code value}, {@code headers} and {@code partition}, with paths into the job as
 * it is shown, into {@code $.outcome}, and into the {@code $.event}.
 */
public final class SinkTemplate {
    private static final String KEY = "key";
    private static final String VALUE = "value";
    private static final String HEADERS = "headers";
    private static final String PARTITION = "partition";
    private static final Set<String> KNOWN = new TreeSet<>(List.of(KEY, VALUE, HEADERS, PARTITION));
    private static final Pattern TOPIC = Pattern.compile(SourceCommand.TOPIC);
    private static final String DEFAULT_HEADERS = """
            {"ojs-job-id":"$.id","ojs-job-type":"$.type","ojs-queue":"$.queue","ojs-outcome":"$.outcome","ojs-event-id":"$.event.id"}""";

    private final Target target;
    private final Predicate<String> owns;
    private final JsonTemplate<JsonPath> topic;
    private final @Nullable JsonTemplate<JsonPath> key;
    private final @Nullable JsonTemplate<JsonPath> value;
    private final @Nullable JsonTemplate<JsonPath> partition;
    private final Map<String, JsonTemplate<JsonPath>> headers = new LinkedHashMap<>();

    private SinkTemplate(Target target, Predicate<String> owns, JsonNode tree) {
        this.target = target;
        this.owns = owns;
        topic = template(Json.MAPPER.getNodeFactory().stringNode(target.topic()));
        key = optional(tree, KEY);
        value = optional(tree, VALUE);
        partition = optional(tree, PARTITION);
        JsonNode given = tree.has(HEADERS) ? tree.path(HEADERS) : Json.tree(DEFAULT_HEADERS.getBytes(UTF_8));
        if (!given.isObject()) throw new IllegalArgumentException("'headers' must be an object");
        for (var each : given.properties()) headers.put(each.getKey(), template(each.getValue()));
    }

    /**
     * @param owns whether a topic is one that nothing is ever written to
     * @throws IllegalArgumentException if it cannot be used, with the reason
     */
    public static SinkTemplate of(Target target, Predicate<String> owns) {
        JsonNode tree;
        try {
            tree = Json.tree(target.record());
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException("it is not well-formed JSON", malformed);
        }
        if (!tree.isObject()) throw new IllegalArgumentException("it must be an object: a record, with paths");
        for (var member : tree.properties())
            if (!KNOWN.contains(member.getKey()))
                throw new IllegalArgumentException(
                        "'%s' is none of %s".formatted(Limits.echo(member.getKey()), String.join(", ", KNOWN)));
        return new SinkTemplate(target, owns, tree);
    }

    /** Whether the topic of a record depends on its job. */
    public static boolean isPath(String topic) {
        return topic.startsWith("$");
    }

    private static @Nullable JsonTemplate<JsonPath> optional(JsonNode tree, String name) {
        return tree.has(name) ? template(tree.path(name)) : null;
    }

    private static JsonTemplate<JsonPath> template(JsonNode node) {
        return JsonTemplate.of(
                node,
                text -> JsonPath.parse(text)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "'%s' is no path: use members of the job, such as $.id, $.result.total or $.args[0], $.outcome or $.event; $$ stands for a plain $"
                                        .formatted(Limits.echo(text)))));
    }

    /** @param job with its outcome and event, see {@link OutcomeMark} */
    public SinkRecord record(ObjectNode job) throws Unmappable {
        JsonTemplate.Parts<JsonPath> parts = path -> {
            JsonNode node = path.in(job, 0);
            if (!node.isMissingNode()) return node;
            if (path.isOptional()) return null;
            throw path.missing("job");
        };
        Map<String, byte[]> made = new LinkedHashMap<>();
        for (var each : headers.entrySet()) {
            byte[] header = text(each.getValue().resolve(parts));
            if (header != null) made.put(each.getKey(), header);
        }
        return new SinkRecord(
                topic(topic.resolve(parts)),
                partition == null ? null : partition(partition.resolve(parts)),
                text(key == null ? job.path(job.hasNonNull("order_key") ? "order_key" : "id") : key.resolve(parts)),
                value(value == null ? job.path(job.hasNonNull("result") ? "result" : "event") : value.resolve(parts)),
                made);
    }

    private String topic(@Nullable JsonNode node) throws Unmappable {
        if (node == null
                || !node.isString()
                || !TOPIC.matcher(node.stringValue()).matches())
            throw new Unmappable("The topic is no name of a topic: '%s'.".formatted(Limits.echo(String.valueOf(node))));
        String name = node.stringValue();
        if (name.equals(".") || name.equals("..")) throw new Unmappable("'%s' is no name of a topic.".formatted(name));
        boolean isAllowed = !isPath(target.topic()) || NamePatterns.match(target.topics(), name);
        if (!isAllowed || name.startsWith("__") || owns.test(name))
            throw new Unmappable("'%s' is none of the topics that the sink may write to.".formatted(Limits.echo(name)));
        return name;
    }

    private static @Nullable Integer partition(@Nullable JsonNode node) throws Unmappable {
        if (node == null || node.isNull()) return null;
        if (!node.isInt() || node.intValue() < 0)
            throw new Unmappable("The partition is no number: '%s'.".formatted(Limits.echo(node.toString())));
        return node.intValue();
    }

    private byte @Nullable [] value(@Nullable JsonNode node) throws Unmappable {
        if (node == null || node.isNull()) return null;
        return switch (target.value()) {
            case JSON -> Json.bytes(node);
            case TEXT -> text(node);
            case BASE64 -> {
                try {
                    yield Base64.getDecoder().decode(node.asString(""));
                } catch (IllegalArgumentException other) {
                    throw new Unmappable("The value is no text in Base64.");
                }
            }
        };
    }

    /** A text as it is; anything else as JSON. */
    private static byte @Nullable [] text(@Nullable JsonNode node) {
        if (node == null || node.isNull()) return null;
        return node.isString() ? node.stringValue().getBytes(UTF_8) : Json.bytes(node);
    }
}
