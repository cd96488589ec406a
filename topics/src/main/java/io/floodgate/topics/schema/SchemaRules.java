package io.floodgate.topics.schema;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.WireName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether the next version of a schema may come (OJS schema registry §8.4). */
public final class SchemaRules {
    private SchemaRules() {}

    /** Returns the rule that holds for the versions after a schema; null for that of the specification. */
    public static @Nullable Compatibility of(Registered schema) {
        String name = schema.compatibility();
        return name == null ? null : WireName.parse(Compatibility.class, name).orElseThrow();
    }

    /** @param decided by the registration itself; null for the rule of the version before */
    public static Optional<Rejection> reject(
            SchemaVersion version, byte[] schema, Registered before, @Nullable Compatibility decided) {
        Compatibility rule = decided == null ? of(before) : decided;
        SchemaVersion last = SchemaIndex.version(before);
        boolean isMajor = version.major() > last.major();
        if (rule == null) rule = isMajor ? Compatibility.NONE : Compatibility.BACKWARD;
        List<String> changes = SchemaChanges.breaking(rule, Json.tree(before.schema()), Json.tree(schema));
        if (changes.isEmpty()) return Optional.empty();
        String advice = decided == null && of(before) == null
                ? "Use a major version bump (%d.0.0).".formatted(last.major() + 1)
                : "The compatibility of its versions is %s.".formatted(rule.wire());
        JsonOut list = new JsonOut().beginArray();
        changes.forEach(list::value);
        return Optional.of(Rejection.of(
                        ErrorCode.INVALID_REQUEST,
                        "Schema version %s introduces breaking changes compared to %s. %s"
                                .formatted(version, last, advice))
                .with("field", "schema")
                .with("compatibility", rule.wire())
                .withJson("breaking_changes", list.endArray().toString()));
    }
}
