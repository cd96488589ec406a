package io.floodgate.topics.command;

import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.command.LimitCommand.CountLimited;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitLetter;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.RateLimit;
import io.floodgate.topics.limit.Strategy;
import io.floodgate.topics.limit.UnreadableLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    static Encoded encode(Message.OfLimit message) {
        JsonOut out = new JsonOut().beginObject().field("key", message.key());
        String op = switch (message) {
            case AskPermits m -> {
                ask(m, out);
                yield "ask-permits";
            }
            case GivePermits m -> {
                give(m, out);
                yield "give-permits";
            }
            case FreezeLimit m -> {
                out.optional("until_ms", millis(m.until())).field("reason", m.reason());
                yield "freeze-limit";
            }
        };
        return new Encoded(op, out.endObject().toBytes());
    }

    static Encoded encode(PermitLetter letter) {
        JsonOut out = new JsonOut(1_024).beginObject();
        writeAll("asks", letter.asks(), out);
        writeAll("gives", letter.gives(), out);
        return new Encoded("permits", out.endObject().toBytes());
    }

    private static void writeAll(String name, List<? extends Message.OfLimit> parts, JsonOut out) {
        if (parts.isEmpty()) return;
        out.name(name).beginArray();
        for (Message.OfLimit part : parts) out.raw(encode(part).value());
        out.endArray();
    }

    private static void ask(AskPermits ask, JsonOut out) {
        out.field("log", ask.log().toString()).field("epoch", ask.epoch());
        write("limits", ask.allowance(), out);
        out.field("defined_ms", ask.definedAt())
                .field("received", ask.received())
                .field("held", ask.held())
                .field("wanted", ask.wanted());
        if (ask.superseded()) out.field("superseded", true);
        if (ask.leaves()) out.field("leaves", true);
        out.name("unused").beginArray();
        ask.unused().forEach(out::value);
        out.endArray().field("asked_ms", ask.asked());
    }

    private static void give(GivePermits give, JsonOut out) {
        out.field("epoch", give.epoch()).field("given", give.given()).field("at_ms", give.at());
        if (give.count() > 0)
            out.field("count", give.count()).field("first_us", give.first()).field("spacing_us", give.spacing());
        Held held = give.held();
        if (held != null) {
            out.name("held")
                    .beginObject()
                    .field("strategy", held.strategy().wire())
                    .field("limit", held.limit())
                    .field("current", held.current())
                    .optional("until_ms", millis(held.until()))
                    .endObject();
        }
        if (give.returnsAtOnce()) out.field("returns_at_once", true);
        if (give.tell()) out.field("tell", true);
        if (give.superseded()) out.field("superseded", true);
        if (give.asked() > 0) out.field("asked_ms", give.asked());
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
            case "ask-permits" -> ask(in);
            case "give-permits" -> give(in);
            case "permits" -> letter(in);
            default -> new FreezeLimit(key(in), requiredTime(in), in.text("reason"));
        };
    }

    private static PermitLetter letter(JsonFields in) throws UnreadableCommand, MalformedJson {
        List<AskPermits> asks = new ArrayList<>();
        List<GivePermits> gives = new ArrayList<>();
        for (JsonFields ask : in.optionalParts("asks", PermitLetter.MOST)) asks.add(ask(ask));
        for (JsonFields give : in.optionalParts("gives", PermitLetter.MOST)) gives.add(give(give));
        return new PermitLetter(asks, gives);
    }

    private static AskPermits ask(JsonFields in) throws UnreadableCommand {
        return new AskPermits(
                key(in),
                in.log("log"),
                in.number("epoch"),
                allowance(in, "limits"),
                in.number("defined_ms"),
                in.flag("superseded"),
                in.natural("received"),
                in.natural("held"),
                (int) Math.min(in.natural("wanted"), AskPermits.MOST_WANTED),
                in.flag("leaves"),
                in.numbers("unused"),
                asked(in));
    }

    private static GivePermits give(JsonFields in) throws UnreadableCommand {
        boolean some = in.node("count") != null;
        return new GivePermits(
                key(in),
                in.number("epoch"),
                in.natural("given"),
                some ? in.count("count", AskPermits.MOST_WANTED) : 0,
                some ? in.number("first_us") : 0,
                some ? in.natural("spacing_us") : 0,
                in.number("at_ms"),
                held(in.node("held")),
                in.flag("returns_at_once"),
                in.flag("tell"),
                in.flag("superseded"),
                asked(in));
    }

    private static long asked(JsonFields in) throws UnreadableCommand {
        Long asked = in.optionalNumber("asked_ms");
        return asked == null ? 0 : asked;
    }

    private static @Nullable Held held(@Nullable JsonNode node) throws UnreadableCommand {
        if (node == null) return null;
        Strategy strategy = Strategy.parse(node.path("strategy").asString(""))
                .orElseThrow(() -> new UnreadableCommand("'held' names no strategy."));
        JsonNode until = node.get("until_ms");
        return new Held(
                strategy,
                node.path("limit").asLong(0),
                node.path("current").asLong(0),
                until == null ? null : time((Long) until.asLong(0)));
    }

    private static String key(JsonFields in) throws UnreadableCommand {
        String key = in.text("key");
        if (!RateLimit.isKey(key))
            throw new UnreadableCommand("'%s' cannot be the key of a rate limit.".formatted(Limits.echo(key)));
        return key;
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
        return Instant.ofEpochMilli(Math.clamp(in.number("until_ms"), 0, LATEST));
    }

    private static @Nullable Instant time(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(Math.clamp(millis, 0, LATEST));
    }
}
