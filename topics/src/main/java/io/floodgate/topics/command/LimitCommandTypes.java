package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.LIMIT;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Commands and messages about rate limits. */
final class LimitCommandTypes {
    /** Beyond any time that is ever shown; more would not fit into a date. */
    private static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    static final List<CommandType<?>> ROWS = List.of(
            query(GetLimit.class, LIMIT, READS, "Returns a rate limit, and how much of it is used.")
                    .json("get-limit", (c, out) -> out.field("key", c.key()), in -> new GetLimit(key(in)))
                    .bounded(),
            query(ListLimits.class, PARTITION, READS, "Lists the rate limits of this partition, by key.")
                    .json(
                            "list-limits",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListLimits(in.count("limit", ListLimits.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.chars("after", c.after(), RateLimit.NAME_CHARS)),
            query(CountLimited.class, PARTITION, READS, "Counts running and limited jobs of keys in this partition.")
                    .json(
                            "count-limited",
                            (c, out) -> out.field("keys", c.keys()),
                            in -> new CountLimited(in.texts("keys")))
                    .bounded(c -> {
                        Limits.most("keys", c.keys().size(), CountLimited.MOST_KEYS);
                        for (String key : c.keys()) Limits.chars("keys", key, RateLimit.NAME_CHARS);
                    }),
            command(OverrideLimit.class, LIMIT, WORK, "Overrides the limit that jobs define.")
                    .json(
                            "override-limit",
                            LimitCommandTypes::writeOverride,
                            in -> new OverrideLimit(
                                    key(in), allowance(in, "limits"), time(in.optionalNumber("until_ms"))))
                    .bounded(),
            command(EndOverride.class, LIMIT, WORK, "Ends such an override.")
                    .json("end-override", (c, out) -> out.field("key", c.key()), in -> new EndOverride(key(in)))
                    .bounded(),
            message(PermitMessage.class, LIMIT, "Requests and grants of permits between two partitions.")
                    .readsValue("permits", Limits.COMMAND_BYTES, PermitRows::read)
                    .writes(c -> new Encoded("permits", PermitRows.write(c)))
                    .bounded(),
            message(LimitChanged.class, PARTITION, "A limit has changed: dates of jobs that were put off are outdated.")
                    .json("limit-changed", (c, out) -> out.field("key", c.key()), in -> new LimitChanged(key(in)))
                    .bounded(),
            message(FreezeLimit.class, LIMIT, "No job of a key may start before a time, as a worker has reported.")
                    .json(
                            "freeze-limit",
                            (c, out) -> out.field("key", c.key())
                                    .field("until_ms", c.until().toEpochMilli())
                                    .field("reason", c.reason()),
                            in -> new FreezeLimit(key(in), time(in.number("until_ms")), in.text("reason")))
                    .bounded());

    private LimitCommandTypes() {}

    private static void writeOverride(OverrideLimit command, JsonOut out) {
        Instant until = command.until();
        out.field("key", command.key()).name("limits").beginObject();
        command.allowance().write(out);
        out.endObject();
        if (until != null) out.field("until_ms", until.toEpochMilli());
    }

    private static String key(JsonFields in) throws UnreadableCommand {
        String key = in.text("key");
        if (!RateLimit.isName(key)) throw noKey(key);
        return key;
    }

    static UnreadableCommand noKey(String key) {
        return new UnreadableCommand("'%s' cannot be the key of a rate limit.".formatted(Limits.echo(key)));
    }

    private static Allowance allowance(JsonFields in, String name) throws UnreadableCommand {
        JsonNode limits = in.node(name);
        if (limits == null) return Allowance.UNLIMITED;
        try {
            return LimitReader.allowance(limits, name, Set.of());
        } catch (UnreadableLimit unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static @Nullable Instant time(@Nullable Long millis) {
        return millis == null ? null : time((long) millis);
    }

    static Instant time(long millis) {
        return Instant.ofEpochMilli(Math.clamp(millis, 0, LATEST));
    }
}
