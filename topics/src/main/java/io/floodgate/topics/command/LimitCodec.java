package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.PermitLetter;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.UnreadableLimit;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Commands and messages about rate limits, to and from records. */
final class LimitCodec {
    /** Beyond any time that is ever shown; more would not fit into a date. */
    private static final long LATEST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private LimitCodec() {}

    static Encoded encode(LimitCommand command) {
        JsonOut out = new JsonOut().beginObject();
        String op = switch (command) {
            case GetLimit c -> {
                out.field("key", c.key());
                yield "get-limit";
            }
            case ListLimits c -> {
                out.field("limit", c.limit()).optional("after", c.after());
                yield "list-limits";
            }
            case CountLimited c -> {
                out.field("keys", c.keys());
                yield "count-limited";
            }
            case OverrideLimit c -> {
                out.field("key", c.key());
                write("limits", c.allowance(), out);
                out.optional("until_ms", millis(c.until()));
                yield "override-limit";
            }
            case EndOverride c -> {
                out.field("key", c.key());
                yield "end-override";
            }
        };
        return new Encoded(op, out.endObject().toBytes());
    }

    static Encoded encode(FreezeLimit message) {
        JsonOut out = new JsonOut().beginObject().field("key", message.key());
        out.optional("until_ms", millis(message.until())).field("reason", message.reason());
        return new Encoded("freeze-limit", out.endObject().toBytes());
    }

    static Encoded encode(LimitChanged message) {
        return new Encoded(
                "limit-changed",
                new JsonOut()
                        .beginObject()
                        .field("key", message.key())
                        .endObject()
                        .toBytes());
    }

    static Encoded encode(PermitLetter letter) {
        return new Encoded("permits", PermitRows.write(letter));
    }

    private static void write(String name, Allowance allowance, JsonOut out) {
        out.name(name).beginObject();
        allowance.write(out);
        out.endObject();
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : (Long) time.toEpochMilli();
    }

    static Command decode(String op, JsonFields in) throws UnreadableCommand, MalformedJson {
        return switch (op) {
            case "get-limit" -> new GetLimit(key(in));
            case "list-limits" -> new ListLimits(in.count("limit", ListLimits.MAX_LIMIT), in.optionalText("after"));
            case "count-limited" -> new CountLimited(in.texts("keys"));
            case "override-limit" ->
                new OverrideLimit(key(in), allowance(in, "limits"), time(in.optionalNumber("until_ms")));
            case "end-override" -> new EndOverride(key(in));
            case "limit-changed" -> new LimitChanged(key(in));
            default -> new FreezeLimit(key(in), requiredTime(in), in.text("reason"));
        };
    }

    private static String key(JsonFields in) throws UnreadableCommand {
        String key = in.text("key");
        if (!RateLimit.isName(key)) throw noKey(key);
        return key;
    }

    static UnreadableCommand noKey(String key) {
        return new UnreadableCommand("'%s' cannot be the key of a rate limit.".formatted(Limits.echo(key)));
    }

    static Allowance allowance(JsonFields in, String name) throws UnreadableCommand {
        JsonNode limits = in.node(name);
        if (limits == null) return Allowance.UNLIMITED;
        try {
            return LimitReader.allowance(limits, name, Set.of());
        } catch (UnreadableLimit unreadable) {
            throw new UnreadableCommand(unreadable.reason());
        }
    }

    private static Instant requiredTime(JsonFields in) throws UnreadableCommand {
        return time(in.number("until_ms"));
    }

    private static @Nullable Instant time(@Nullable Long millis) {
        return millis == null ? null : time((long) millis);
    }

    static Instant time(long millis) {
        return Instant.ofEpochMilli(Math.clamp(millis, 0, LATEST));
    }
}
