package io.floodgate.gateway.worker;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The versions of job types that a worker takes, as it says them (OJS job versioning §8.1). */
final class VersionFields {
    private static final String VERSIONS = "versions";
    private static final String HANDLERS = "handlers";

    private VersionFields() {}

    /** An object from type to versions; null if there is no such field. */
    static @Nullable Map<String, VersionRange> byType(RequestFields body, String field) throws RejectedException {
        if (!body.has(field)) return null;
        JsonNode node = body.tree(field);
        if (node == null || !node.isObject())
            throw wrong(field, "The '%s' field must be an object from job types to versions.".formatted(field));
        Map<String, VersionRange> byType = new TreeMap<>();
        for (Map.Entry<String, JsonNode> each : node.properties())
            add(each.getKey(), each.getValue(), field + "." + Limits.echo(each.getKey()), byType);
        return byType;
    }

    /**
     * Returns the versions that a worker declares as it registers or with a heartbeat: in `versions`, or in its
     * `handlers`; null for none.
     */
    static @Nullable Map<String, VersionRange> declared(RequestFields body) throws RejectedException {
        Map<String, VersionRange> byType = byType(body, VERSIONS);
        return byType == null && body.isArray(HANDLERS) ? ofHandlers(body) : byType;
    }

    private static Map<String, VersionRange> ofHandlers(RequestFields body) throws RejectedException {
        Map<String, VersionRange> byType = new TreeMap<>();
        JsonNode handlers = body.tree(HANDLERS);
        int position = 0;
        if (handlers != null)
            for (JsonNode handler : handlers) {
                String field = "%s[%d]".formatted(HANDLERS, position++);
                JsonNode type = handler.get("type");
                JsonNode versions = handler.get(VERSIONS);
                if (versions == null || versions.isNull()) continue;
                if (type == null || !type.isString())
                    throw wrong(field + ".type", "A handler with versions has a type.");
                add(type.stringValue(), versions, field + "." + VERSIONS, byType);
            }
        return byType;
    }

    private static void add(String type, JsonNode versions, String field, Map<String, VersionRange> byType)
            throws RejectedException {
        if (!EnvelopeReader.isType(type))
            throw wrong(field, "'%s' cannot be the type of a job.".formatted(Limits.echo(type)));
        byType.put(type, range(versions, field));
        if (byType.size() > WantedJobs.MOST)
            throw wrong(field, "Versions of at most %d types can be given.".formatted(WantedJobs.MOST));
    }

    private static VersionRange range(JsonNode versions, String field) throws RejectedException {
        List<String> expressions = new ArrayList<>();
        if (versions.isArray()) for (JsonNode each : versions) expressions.add(expression(each, field));
        else expressions.add(expression(versions, field));
        try {
            return VersionRange.parse(expressions);
        } catch (UnreadableRange unreadable) {
            throw wrong(field, unreadable.reason());
        }
    }

    private static String expression(JsonNode node, String field) throws RejectedException {
        if (node.isString()) return node.stringValue();
        if (node.isIntegralNumber()) return node.asString();
        throw wrong(field, "Versions are a string such as \">=1.0 <2.0\", an integer, or a list of these.");
    }

    private static RejectedException wrong(String field, String message) {
        return new RejectedException(
                Rejection.of(ErrorCode.INVALID_VERSION_RANGE, message).with("field", field));
    }

    /** Returns the versions as they are kept with a worker. */
    static byte[] json(Map<String, VersionRange> byType) {
        JsonOut out = JsonOut.object();
        byType.forEach((type, range) -> out.field(type, range.texts()));
        return out.endObject().toBytes();
    }
}
