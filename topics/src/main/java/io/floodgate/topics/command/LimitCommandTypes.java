package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.LIMIT;
import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.limit.RateLimit;
import java.util.List;

/** Commands and messages about rate limits. */
final class LimitCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            query(
                            "get-limit",
                            LimitCommand.GetLimit.class,
                            LIMIT,
                            READS,
                            "Returns a rate limit, and how much of it is used.")
                    .bounded(c -> checkKey(c.key())),
            query(
                    "list-limits",
                    LimitCommand.ListLimits.class,
                    PARTITION,
                    READS,
                    "Lists the rate limits of this partition, by key."),
            query(
                    "count-limited",
                    LimitCommand.CountLimited.class,
                    PARTITION,
                    READS,
                    "Counts running and limited jobs of keys in this partition."),
            command(
                            "override-limit",
                            LimitCommand.OverrideLimit.class,
                            LIMIT,
                            WORK,
                            "Overrides the limit that jobs define.")
                    .bounded(c -> checkKey(c.key())),
            command("end-override", LimitCommand.EndOverride.class, LIMIT, WORK, "Ends such an override.")
                    .bounded(c -> checkKey(c.key())),
            message(
                            "permits",
                            Message.PermitMessage.class,
                            LIMIT,
                            "Requests and grants of permits between two partitions.")
                    .value(PermitRows::read, PermitRows::write),
            message(
                            "limit-changed",
                            Message.LimitChanged.class,
                            PARTITION,
                            "A limit has changed: dates of jobs that were put off are outdated.")
                    .bounded(c -> checkKey(c.key())),
            message(
                            "freeze-limit",
                            Message.FreezeLimit.class,
                            LIMIT,
                            "No job of a key may start before a time, as a worker has reported.")
                    .bounded(c -> checkKey(c.key())));

    private LimitCommandTypes() {}

    static void checkKey(String key) throws UnreadableCommand {
        if (!RateLimit.isName(key))
            throw new UnreadableCommand("'%s' cannot be the key of a rate limit.".formatted(Limits.echo(key)));
    }
}
