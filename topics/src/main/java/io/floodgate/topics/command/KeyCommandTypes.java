package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.KEY;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Commands of operators and gateways about keys of unique jobs. */
final class KeyCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            query("get-key", KeyCommand.GetKey.class, KEY, READS, "Returns the jobs that have a key of unique jobs."),
            query(
                            "check-keys",
                            KeyCommand.CheckKeys.class,
                            KEY,
                            WORK,
                            "Counts the keys that jobs have, or that the sender may not have.")
                    .large(),
            query(
                    "list-keys",
                    KeyCommand.ListKeys.class,
                    PARTITION,
                    READS,
                    "Lists the jobs that have keys whose home is this partition, by key."),
            command("release-key", KeyCommand.ReleaseKey.class, KEY, WORK, "Takes a key from jobs, which go on."));

    private KeyCommandTypes() {}
}
