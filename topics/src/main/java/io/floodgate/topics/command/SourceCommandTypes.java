package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.SOURCES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands to the registry of sources. */
final class SourceCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                    "put-source",
                    SourceCommand.PutSource.class,
                    SOURCES,
                    WORK,
                    "Has the records of a topic become jobs of a queue, or changes how."),
            command(
                    "change-source",
                    SourceCommand.ChangeSource.class,
                    SOURCES,
                    WORK,
                    "Pauses a source, resumes it, or has it read again from a place."),
            command("delete-source", SourceCommand.DeleteSource.class, SOURCES, WORK, "Deletes a source."),
            query(
                    "list-sources",
                    SourceCommand.ListSources.class,
                    SOURCES,
                    READS,
                    "Returns all sources, unless they are known."));

    private SourceCommandTypes() {}
}
