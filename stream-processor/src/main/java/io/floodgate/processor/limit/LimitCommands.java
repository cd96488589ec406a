package io.floodgate.processor.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What operators ask of limits, and decide about them. */
public final class LimitCommands {
    private final LimitStore limits;
    private final Consumer<Limit> settle;
    private final Effects out;

    LimitCommands(LimitStore limits, Consumer<Limit> settle, Effects out) {
        this.limits = limits;
        this.settle = settle;
        this.out = out;
    }

    public void get(GetLimit command) {
        Limit limit = limits.find(command.key());
        if (limit == null) out.refuse(Refusal.notFound("rate limit", command.key()));
        else reply(limit);
    }

    public void list(ListLimits command) {
        List<Limit> page = limits.after(command.after(), command.limit());
        JsonOut lines = new JsonOut().beginObject().field("total", limits.size());
        boolean more = !page.isEmpty() && !limits.after(page.getLast().key, 1).isEmpty();
        if (more) lines.field("next", page.getLast().key);
        lines.endObject().newLine();
        for (Limit limit : page) {
            write(limit, lines);
            lines.newLine();
        }
        out.reply(lines);
    }

    public void override(OverrideLimit command) {
        Instant until = command.until();
        if (until != null && !until.isAfter(out.now())) {
            out.refuse(Refusal.of(
                            ErrorCode.INVALID_REQUEST,
                            "The override would end in the past; give a time that is to come.")
                    .with("field", "expires_at"));
            return;
        }
        Limit limit = limits.use(command.key());
        limit.override(new Limit.Overridden(command.allowance(), until));
        limit.limiter.unfreeze();
        settle.accept(limit);
        reply(limit);
    }

    public void end(EndOverride command) {
        Limit limit = limits.find(command.key());
        if (limit == null) {
            out.refuse(Refusal.notFound("rate limit", command.key()));
            return;
        }
        limit.override(null);
        limit.limiter.unfreeze();
        settle.accept(limit);
        reply(limit);
    }

    private void reply(Limit limit) {
        JsonOut line = new JsonOut(512);
        write(limit, line);
        out.reply(line);
    }

    private void write(Limit limit, JsonOut json) {
        Instant now = out.now();
        Allowance allowance = limit.allowance();
        json.beginObject().field("key", limit.key).field("outstanding", limit.outstanding());
        json.optional("concurrency", allowance.concurrency());
        Pace rate = allowance.rate();
        if (rate != null) {
            begin("rate", rate, json);
            json.field("current_count", limit.limiter.count(rate, now))
                    .field("window_resets_at", limit.limiter.emptyAt(rate, now))
                    .endObject();
        }
        Pace throttle = allowance.throttle();
        if (throttle != null) {
            begin("throttle", throttle, json);
            json.field("next_allowed_at", limit.limiter.nextAt(throttle, now)).endObject();
        }
        json.optional("frozen_until", limit.limiter.frozenUntil(now));
        Limit.Overridden override = limit.override();
        if (override != null) override(override, json);
        json.endObject();
    }

    private static void begin(String name, Pace pace, JsonOut json) {
        json.name(name).beginObject().field("limit", pace.starts()).field("period", Durations.format(pace.period()));
    }

    private static void override(Limit.Overridden override, JsonOut json) {
        json.name("override").beginObject();
        override.allowance().write(json);
        json.optional("expires_at", override.until()).endObject();
    }

    static byte[] bytes(String key) {
        return key.getBytes(UTF_8);
    }

    static @Nullable String text(byte[] key) {
        return key.length == 0 ? null : new String(key, UTF_8);
    }
}
