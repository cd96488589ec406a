package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.PROBES;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.Message.LastNumber;
import java.util.List;

/** Commands to a partition as a whole, and messages about messages. */
final class PartitionCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                    "tick",
                    PartitionCommand.Tick.class,
                    PARTITION,
                    PROBES,
                    "Time passes: due timers fire, as before every command."),
            query(
                    "inspect",
                    PartitionCommand.Inspect.class,
                    PARTITION,
                    PROBES,
                    "Returns the position, contents and alarms of the partition."),
            command(
                    "withdraw",
                    PartitionCommand.Withdraw.class,
                    PARTITION,
                    COMPLETIONS,
                    "Ends commands of a requester that wait; gives their jobs back."),
            command(
                    "upgrade",
                    PartitionCommand.Upgrade.class,
                    PARTITION,
                    WORK,
                    "Executes everything that follows by this version of the logic."),
            command(
                    "configure",
                    PartitionCommand.Configure.class,
                    PARTITION,
                    WORK,
                    "Changes the settings of the partition."),
            command("reset", PartitionCommand.Reset.class, PARTITION, WORK, "Deletes everything; in test mode only."),
            command(
                    "acknowledge-alarm",
                    PartitionCommand.Acknowledge.class,
                    PARTITION,
                    WORK,
                    "Clears an alarm that an operator has seen."),
            query(
                    "list-quarantined",
                    PartitionCommand.ListQuarantined.class,
                    PARTITION,
                    READS,
                    "Lists what failed because of a defect, oldest first."),
            command(
                    "retry-quarantined",
                    PartitionCommand.RetryQuarantined.class,
                    PARTITION,
                    WORK,
                    "Tries again to execute what failed."),
            command(
                    "discard-quarantined",
                    PartitionCommand.DiscardQuarantined.class,
                    PARTITION,
                    WORK,
                    "Gives up what failed."),
            message(
                    "messages-lost",
                    Message.Lost.class,
                    PARTITION,
                    "Messages of the receiver to the sender of this one never arrived."),
            message(
                    "want-number",
                    Message.WantNumber.class,
                    PARTITION,
                    "Numbers of messages were taken already: asks for the last one."),
            message(LastNumber.OP, LastNumber.class, PARTITION, "The number of this message is the last one."),
            message(
                    "undeliverable",
                    Message.Undeliverable.class,
                    PARTITION,
                    "A message could not be executed, and has no better answer."),
            message(
                    "defaults",
                    Message.Defaults.class,
                    PARTITION,
                    "The configuration of all queues that have none of their own."),
            message(
                    "want-defaults",
                    Message.WantDefaults.class,
                    QUEUE,
                    "Asks the owner of `_default` to send `defaults` again."));

    private PartitionCommandTypes() {}
}
