package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.QUEUE;
import static io.floodgate.topics.command.CommandType.RECORD_BYTES;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.COMPLETIONS;
import static io.floodgate.topics.command.TrafficClass.PROBES;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Lost;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to a partition as a whole, and messages about messages. */
final class PartitionCommandTypes {
    private static final byte[] NOTHING = {'{', '}'};

    static final List<CommandType<?>> ROWS = List.of(
            command(Tick.class, PARTITION, PROBES, "Time passes: due timers fire, as before every command.")
                    .readsValue("tick", RECORD_BYTES, value -> new Tick())
                    .writes(c -> new Encoded("tick", NOTHING))
                    .bounded(),
            query(Inspect.class, PARTITION, PROBES, "Returns the position, contents and alarms of the partition.")
                    .readsValue("inspect", RECORD_BYTES, value -> new Inspect())
                    .writes(c -> new Encoded("inspect", NOTHING))
                    .bounded(),
            command(
                            Withdraw.class,
                            PARTITION,
                            COMPLETIONS,
                            "Ends commands of a requester that wait; gives their jobs back.")
                    .json(
                            "withdraw",
                            PartitionCommandTypes::writeWithdraw,
                            in -> new Withdraw(in.text("requester"), in.numbers("correlations")))
                    .bounded(c -> {
                        Limits.name("requester", c.requester());
                        Limits.most("correlations", c.correlations().size(), Limits.WITHDRAWN);
                    }),
            command(Upgrade.class, PARTITION, WORK, "Executes everything that follows by this version of the logic.")
                    .json(
                            "upgrade",
                            (c, out) -> out.field("rules", c.rules()).optional("topic_id", notEmpty(c.topicId())),
                            in -> new Upgrade(in.positive("rules"), topicId(in)))
                    .bounded(),
            command(Configure.class, PARTITION, WORK, "Changes the settings of the partition.")
                    .json(
                            "configure",
                            (c, out) -> c.settings().write(out),
                            in -> new Configure(PartitionSettings.read(in)))
                    .bounded(),
            command(Reset.class, PARTITION, WORK, "Deletes everything; in test mode only.")
                    .json(
                            "reset",
                            (c, out) -> out.optional("topic_id", notEmpty(c.topicId())),
                            in -> new Reset(topicId(in)))
                    .bounded(),
            command(Acknowledge.class, PARTITION, WORK, "Clears an alarm that an operator has seen.")
                    .json(
                            "acknowledge-alarm",
                            (c, out) -> out.field("code", c.code()),
                            in -> new Acknowledge(in.text("code")))
                    .bounded(c -> Limits.name("code", c.code())),
            query(ListQuarantined.class, PARTITION, READS, "Lists what failed because of a defect, oldest first.")
                    .json(
                            "list-quarantined",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListQuarantined(
                                    in.count("limit", ListQuarantined.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.chars("after", c.after(), Limits.CURSOR_CHARS)),
            command(RetryQuarantined.class, PARTITION, WORK, "Tries again to execute what failed.")
                    .json(
                            "retry-quarantined",
                            (c, out) -> out.field("id", c.id()),
                            in -> new RetryQuarantined(in.number("id")))
                    .bounded(),
            command(DiscardQuarantined.class, PARTITION, WORK, "Gives up what failed.")
                    .json(
                            "discard-quarantined",
                            (c, out) -> out.field("id", c.id()),
                            in -> new DiscardQuarantined(in.number("id")))
                    .bounded(),
            message(Lost.class, PARTITION, "Messages of the receiver to the sender of this one never arrived.")
                    .json(
                            "messages-lost",
                            (c, out) -> out.field("receiver", c.receiver().toString())
                                    .field("first", c.first())
                                    .field("last", c.last()),
                            in -> new Lost(in.log("receiver"), in.number("first"), in.number("last")))
                    .bounded(),
            message(WantNumber.class, PARTITION, "Numbers of messages were taken already: asks for the last one.")
                    .json(
                            "want-number",
                            (c, out) -> out.field("log", c.receiver().toString()),
                            in -> new WantNumber(in.log("log")))
                    .bounded(),
            message(LastNumber.class, PARTITION, "The number of this message is the last one.")
                    .json(
                            LastNumber.OP,
                            (c, out) -> out.field("log", c.sender().toString()),
                            in -> new LastNumber(in.log("log")))
                    .bounded(),
            message(Undeliverable.class, PARTITION, "A message could not be executed, and has no better answer.")
                    .json(
                            "undeliverable",
                            (c, out) -> out.field("receiver", c.receiver().toString())
                                    .field("sequence", c.sequence())
                                    .field("op", c.op())
                                    .fieldRaw("refusal", Reply.write(c.rejection())),
                            in -> new Undeliverable(
                                    in.log("receiver"), in.number("sequence"), in.text("op"), in.rejection("refusal")))
                    .bounded(),
            message(Defaults.class, PARTITION, "The configuration of all queues that have none of their own.")
                    .json(
                            "defaults",
                            (c, out) -> {
                                out.field("version", c.version()).name("config").beginObject();
                                QueueConfigCodec.write(c.config(), out);
                                out.endObject();
                            },
                            in -> new Defaults(in.number("version"), QueueConfigCodec.read(in.fields("config"))))
                    .bounded(),
            message(WantDefaults.class, QUEUE, "Asks the owner of `_default` to send `defaults` again.")
                    .json(
                            "want-defaults",
                            (c, out) -> out.field("log", c.log().toString()),
                            in -> new WantDefaults(in.log("log")))
                    .bounded());

    private PartitionCommandTypes() {}

    private static void writeWithdraw(Withdraw withdraw, JsonOut out) {
        out.field("requester", withdraw.requester()).name("correlations").beginArray();
        withdraw.correlations().forEach(out::value);
        out.endArray();
    }

    private static @Nullable String notEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String topicId(JsonFields in) throws UnreadableCommand {
        return in.has("topic_id") ? in.text("topic_id") : "";
    }
}
