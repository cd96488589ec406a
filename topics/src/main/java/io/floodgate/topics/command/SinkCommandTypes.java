package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.SINKS;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands to the registry of sinks, and what it tells the partitions. */
final class SinkCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                    "put-sink",
                    SinkCommand.PutSink.class,
                    SINKS,
                    WORK,
                    "Has outcomes of jobs written to a topic, or changes how."),
            command(
                    "change-sink",
                    SinkCommand.ChangeSink.class,
                    SINKS,
                    WORK,
                    "Pauses a sink, resumes it, or has it write again from a place."),
            command("delete-sink", SinkCommand.DeleteSink.class, SINKS, WORK, "Deletes a sink."),
            command(
                    "report-sink",
                    SinkCommand.ReportSink.class,
                    SINKS,
                    WORK,
                    "Reports how the writing of a sink goes."),
            query("list-sinks", SinkCommand.ListSinks.class, SINKS, READS, "Returns all sinks, unless they are known."),
            message("want-outcomes", SinkCommand.WantOutcomes.class, PARTITION, "Which outcomes are for sinks."));

    private SinkCommandTypes() {}
}
