package io.floodgate.topics.command;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.GivePermits;
import io.floodgate.topics.command.Message.PermitMessage;
import io.floodgate.topics.command.Message.PermitUse;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * What logs tell each other of permits, as {@code [[[ask], …], [[give], …]]}: an array for each key, and no names in it. With
 * keys in other partitions there are more of these messages than jobs, so they are read in one pass.
 */
final class PermitRows {
    private static final long NONE = -1;
    private static final int STALE = 1;
    private static final int LEAVES = 2;
    private static final int TELL = 4;
    private static final int RETURNS_AT_ONCE = 8;
    private static final int RECALL = 16;

    private final JsonParser in;

    private PermitRows(JsonParser in) {
        this.in = in;
    }

    static byte[] write(PermitMessage message) {
        JsonOut out = new JsonOut(512).beginArray().beginArray();
        for (AskPermits ask : message.asks()) write(ask, out);
        out.endArray().beginArray();
        for (GivePermits give : message.gives()) write(give, out);
        return out.endArray().endArray().toBytes();
    }

    private static void write(AskPermits ask, JsonOut out) {
        out.beginArray().value(ask.key()).value(ask.log().toString()).value(ask.epoch());
        Allowance allowance = ask.allowance();
        out.value(allowance.concurrency() == null ? NONE : allowance.concurrency());
        write(allowance.rate(), out);
        write(allowance.throttle(), out);
        out.value(ask.definedAt()).value(ask.received()).value(ask.held()).value(ask.wanted());
        out.value((ask.stale() ? STALE : 0) | (ask.leaves() ? LEAVES : 0));
        out.value(ask.asked());
        if (!ask.unused().isEmpty() || !ask.used().isEmpty()) {
            out.beginArray();
            ask.unused().forEach(out::value);
            out.endArray();
            for (PermitUse use : ask.used())
                out.value(use.date()).value(delay(use)).value(use.count());
        }
        out.endArray();
    }

    private static long delay(PermitUse use) {
        return use.at() == PermitUse.ON_ARRIVAL ? NONE : use.at() - use.date();
    }

    private static void write(@Nullable Pace pace, JsonOut out) {
        out.value(pace == null ? 0 : pace.starts())
                .value(pace == null ? 0 : pace.period().toMillis());
    }

    private static void write(GivePermits give, JsonOut out) {
        out.beginArray().value(give.key()).value(give.epoch()).value(give.given());
        out.value(give.count()).value(give.date()).value(give.until()).value(give.at());
        out.value((give.stale() ? STALE : 0)
                | (give.tell() ? TELL : 0)
                | (give.returnsAtOnce() ? RETURNS_AT_ONCE : 0)
                | (give.recall() ? RECALL : 0));
        out.value(give.asked());
        Held held = give.held();
        if (held != null) {
            out.value(held.strategy().wire()).value(held.limit()).value(held.current());
            out.value(held.until() == null ? NONE : held.until().toEpochMilli());
        }
        out.endArray();
    }

    static PermitMessage read(byte[] json) throws UnreadableCommand {
        try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), json)) {
            return new PermitRows(parser).message();
        }
    }

    private PermitMessage message() throws UnreadableCommand {
        List<AskPermits> asks = new ArrayList<>();
        List<GivePermits> gives = new ArrayList<>();
        begin();
        begin();
        while (isRow(asks.size())) asks.add(ask());
        begin();
        while (isRow(gives.size())) gives.add(give());
        end(in.nextToken());
        if (in.nextToken() != null) throw new UnreadableCommand("There is more after the end of the permits.");
        return new PermitMessage(asks, gives);
    }

    private void begin() throws UnreadableCommand {
        if (in.nextToken() != JsonToken.START_ARRAY) throw new UnreadableCommand("A list of permits was expected.");
    }

    private static void end(@Nullable JsonToken token) throws UnreadableCommand {
        if (token != JsonToken.END_ARRAY) throw new UnreadableCommand("A list of permits is longer than it may be.");
    }

    /** Whether there is another one; its bracket has been read then. */
    private boolean isRow(int before) throws UnreadableCommand {
        JsonToken token = in.nextToken();
        if (token == JsonToken.START_ARRAY && before < PermitMessage.MOST) return true;
        end(token);
        return false;
    }

    private AskPermits ask() throws UnreadableCommand {
        String key = key();
        PartitionId log = JsonFields.parsePartition(text(in.nextToken()));
        long epoch = number();
        long concurrency = number();
        if (concurrency < NONE || concurrency > Allowance.MOST_CONCURRENCY) throw outOfRange();
        Allowance allowance = new Allowance(concurrency == NONE ? null : (Long) concurrency, pace(), pace());
        long definedAt = number();
        long received = natural();
        long held = natural();
        int wanted = (int) Math.min(natural(), AskPermits.MOST_WANTED);
        long flags = number();
        long asked = number();
        List<Long> unused = new ArrayList<>();
        List<PermitUse> used = new ArrayList<>();
        JsonToken more = in.nextToken();
        if (more == JsonToken.START_ARRAY) {
            for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken())
                unused.add(number(next));
            for (JsonToken next = in.nextToken(); next != JsonToken.END_ARRAY; next = in.nextToken())
                used.add(use(number(next)));
        } else end(more);
        return new AskPermits(
                key,
                log,
                epoch,
                allowance,
                definedAt,
                has(flags, STALE),
                received,
                held,
                wanted,
                has(flags, LEAVES),
                unused,
                used,
                asked);
    }

    private PermitUse use(long date) throws UnreadableCommand {
        long delay = number();
        long count = natural();
        if (count > AskPermits.MOST_WANTED) throw outOfRange();
        return new PermitUse(date, delay == NONE ? PermitUse.ON_ARRIVAL : date + delay, (int) count);
    }

    private GivePermits give() throws UnreadableCommand {
        String key = key();
        long epoch = number();
        long given = natural();
        int count = (int) Math.min(natural(), AskPermits.MOST_WANTED);
        long date = number();
        long until = natural();
        long at = number();
        long flags = number();
        long asked = number();
        JsonToken next = in.nextToken();
        Held held = next == JsonToken.END_ARRAY ? null : held(next);
        return new GivePermits(
                key,
                epoch,
                given,
                count,
                date,
                until,
                at,
                held,
                has(flags, RETURNS_AT_ONCE),
                has(flags, TELL),
                has(flags, RECALL),
                has(flags, STALE),
                asked);
    }

    private Held held(@Nullable JsonToken strategy) throws UnreadableCommand {
        Strategy named = WireName.parse(Strategy.class, text(strategy))
                .orElseThrow(() -> new UnreadableCommand("What holds permits back is no strategy."));
        long limit = number();
        long current = number();
        long until = number();
        end(in.nextToken());
        return new Held(
                named,
                limit,
                current,
                until == NONE ? null : Instant.ofEpochMilli(Math.clamp(until, 0, NumberForm.LATEST)));
    }

    private @Nullable Pace pace() throws UnreadableCommand {
        long starts = natural();
        long millis = natural();
        if (starts == 0) return null;
        if (starts > Pace.MOST_STARTS || millis < Pace.SHORTEST.toMillis() || millis > Pace.LONGEST.toMillis())
            throw outOfRange();
        return new Pace(starts, Duration.ofMillis(millis));
    }

    private String key() throws UnreadableCommand {
        String key = text(in.nextToken());
        LimitCommandTypes.checkKey(key);
        return key;
    }

    private String text(@Nullable JsonToken token) throws UnreadableCommand {
        if (token != JsonToken.VALUE_STRING) throw new UnreadableCommand("A name was expected among the permits.");
        return in.getString();
    }

    private long natural() throws UnreadableCommand {
        long number = number();
        if (number < 0) throw outOfRange();
        return number;
    }

    private long number() throws UnreadableCommand {
        return number(in.nextToken());
    }

    private long number(@Nullable JsonToken token) throws UnreadableCommand {
        boolean isLong = token == JsonToken.VALUE_NUMBER_INT
                && (in.getNumberType() == JsonParser.NumberType.INT
                        || in.getNumberType() == JsonParser.NumberType.LONG);
        if (!isLong) throw new UnreadableCommand("A number was expected among the permits.");
        return in.getLongValue();
    }

    private static UnreadableCommand outOfRange() {
        return new UnreadableCommand("A number among the permits is out of range.");
    }

    private static boolean has(long flags, int flag) {
        return (flags & flag) != 0;
    }
}
