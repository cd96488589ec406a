package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.SCHEMAS;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands to the registry of schemas. */
final class SchemaCommandTypes {
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
}
