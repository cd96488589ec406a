package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.SCHEMAS;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.SchemaCommand.Changes;
import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.List;

/** Commands to the registry of schemas, and the lines of its replies. */
public final class SchemaCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                            "put-schema",
                            SchemaCommand.PutSchema.class,
                            SCHEMAS,
                            WORK,
                            "Registers a version of a schema for the arguments of a job type.")
                    .bounded(c -> Limits.most("schema", c.schema().length, SchemaCommand.MOST_SCHEMA_BYTES)),
            command(
                    "delete-schema",
                    SchemaCommand.DeleteSchema.class,
                    SCHEMAS,
                    WORK,
                    "Deletes a version of a schema, or all versions of a type."),
            query(
                    "changed-schemas",
                    SchemaCommand.ChangedSchemas.class,
                    SCHEMAS,
                    READS,
                    "Returns the schemas that were registered since a revision."));

    private SchemaCommandTypes() {}

    public static JsonOut line(Registered schema) {
        return line(Registered.class, schema);
    }

    public static JsonOut line(Changes changes) {
        return line(Changes.class, changes);
    }

    private static <R> JsonOut line(Class<R> type, R value) {
        JsonOut out = JsonOut.object();
        RecordForm.of(type).write(value, out);
        return out.endObject();
    }

    /** A schema in a reply; its partition has written it. */
    public static Registered schema(byte[] line) {
        return read(Registered.class, line);
    }

    public static Changes changes(byte[] line) {
        return read(Changes.class, line);
    }

    private static <R> R read(Class<R> type, byte[] line) {
        try {
            return RecordForm.of(type).fromBytes(line);
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a reply of the registry that cannot be read", unreadable);
        }
    }
}
