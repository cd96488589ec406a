package io.floodgate.processor.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.limit.OwnLimits.Own;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.LimitSpace;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.RateLimit;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queries and changes of limits by operators.
 *
 * @param ownLimits of the queues of this partition
 */
public record LimitCommands(LimitStore limits, OwnLimits ownLimits, Consumer<Limit> settle, Effects out) {
    /** The queue that a key is the name of; null if it is the name of none. */
    private static @Nullable String queueOf(String key) {
        return LimitSpace.ofName(key) == null ? RateLimit.queueOf(key) : null;
    }

    private @Nullable Own own(String key) {
        String queue = queueOf(key);
        return queue == null ? null : ownLimits.find(queue, out.now());
    }

    void get(GetLimit command) {
        Limit limit = limits.find(command.key());
        Own own = own(command.key());
        if (limit == null && own == null) out.reject(Rejection.notFound("rate limit", command.key()));
        else reply(command.key(), limit, own);
    }

    void list(ListLimits command) {
        String after = command.after();
        Instant now = out.now();
        TreeMap<String, Limit> keys = new TreeMap<>();
        TreeMap<String, Own> owns = new TreeMap<>();
        // One more shows whether there are more.
        for (Limit limit : limits.after(after, command.limit() + 1)) keys.put(limit.key, limit);
        String first = RateLimit.keyOfQueue("");
        boolean queuesAreOver = after != null && after.compareTo(first) > 0 && !after.startsWith(first);
        String queue = after == null || after.compareTo(first) <= 0 ? "" : after.substring(first.length());
        if (!queuesAreOver)
            for (Own own : ownLimits.after(queue, command.limit() + 1, now))
                owns.put(RateLimit.keyOfQueue(own.queue()), own);
        TreeSet<String> names = new TreeSet<>(keys.keySet());
        names.addAll(owns.keySet());
        List<String> page = names.stream().limit(command.limit()).toList();
        int others = ownLimits.count(name -> limits.find(RateLimit.keyOfQueue(name)) == null, now);
        JsonOut lines = JsonOut.object().field("total", limits.size() + others);
        if (page.size() < names.size()) lines.field("next", page.getLast());
        lines.endObject().newLine();
        for (String name : page) {
            write(name, keys.get(name), owns.get(name), lines);
            lines.newLine();
        }
        out.reply(lines);
    }

    /**
     * Overrides the allowance of a key. For the key of a queue, the override goes before the queue's configuration and
     * its jobs.
     */
    void override(OverrideLimit command) {
        Instant until = command.until();
        if (until != null && !until.isAfter(out.now())) {
            out.reject(Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "The override would end in the past; give a time that is to come.")
                    .with("field", "expires_at"));
            return;
        }
        String queue = queueOf(command.key());
        if (queue != null && !ownLimits.has(queue) && limits.find(command.key()) == null) {
            out.reject(Rejection.notFound("queue", queue));
            return;
        }
        Limit limit = limits.use(command.key());
        String by = out.by() == null ? null : out.by().name();
        limit.override(new Limit.Overridden(command.allowance(), until, by, out.now()));
        limit.limiter.unfreeze();
        if (queue != null) ownLimits.override(queue, command.allowance());
        LimitEvents.overridden(command.key(), command.allowance(), until, out);
        settle.accept(limit);
        reply(command.key(), limit, own(command.key()));
    }

    void end(EndOverride command) {
        Limit limit = limits.find(command.key());
        Own own = own(command.key());
        if (limit == null && own == null) {
            out.reject(Rejection.notFound("rate limit", command.key()));
            return;
        }
        if (limit != null) {
            endOverride(limit);
            limit.limiter.unfreeze();
            settle.accept(limit);
        }
        // A freeze ends as well, of a queue that nothing else limits, too.
        if (own != null) ownLimits.override(own.queue(), null);
        reply(command.key(), limit, own(command.key()));
    }

    /** Puts the allowance of jobs and configurations in force again. */
    void endOverride(Limit limit) {
        if (limit.override() == null) return;
        limit.override(null);
        forget(limit);
        LimitEvents.overrideEnded(limit.key, out);
    }

    /** A queue is no more. */
    public void endOfQueue(String queue) {
        Limit limit = limits.find(RateLimit.keyOfQueue(queue));
        if (limit == null || limit.override() == null) return;
        endOverride(limit);
        settle.accept(limit);
    }

    /** Lets no override go before the configuration of a queue any more. */
    void forget(Limit limit) {
        String queue = queueOf(limit.key);
        if (queue != null) ownLimits.override(queue, null);
    }

    private void reply(String key, @Nullable Limit limit, @Nullable Own own) {
        JsonOut line = new JsonOut(512);
        write(key, limit, own, line);
        out.reply(line);
    }

    /** Writes a limit as it is shown: the queue's own limit goes before the allowance of its jobs. */
    private void write(String key, @Nullable Limit limit, @Nullable Own own, JsonOut json) {
        json.beginObject().field("key", key);
        if (own != null) write(own.allowance(), own.limiter(), own.active(), own.frozenReason(), json);
        else if (limit != null)
            write(limit.allowance(), limit.limiter, limit.outstanding(), limit.frozenReason(), json);
        Limit.Overridden override = limit == null ? null : limit.override();
        if (override != null) override(override, json);
        if (own != null && limit != null && !limit.defined().isUnlimited()) {
            json.beginObject("job_limits");
            limit.defined().write(json);
            json.endObject();
        }
        json.endObject();
    }

    private void write(
            Allowance allowance, Limiter limiter, long outstanding, @Nullable String frozenReason, JsonOut json) {
        Instant now = out.now();
        json.field("outstanding", outstanding).optional("concurrency", allowance.concurrency());
        Pace rate = allowance.rate();
        if (rate != null) {
            begin("rate", rate, json);
            json.field("current_count", limiter.count(rate, now))
                    .field("window_resets_at", limiter.emptyAt(rate, now))
                    .endObject();
        }
        Pace throttle = allowance.throttle();
        if (throttle != null) {
            begin("throttle", throttle, json);
            json.field("next_allowed_at", limiter.nextAt(throttle, now)).endObject();
        }
        Instant frozen = limiter.frozenUntil(now);
        if (frozen != null) json.field("frozen_until", frozen).optional("frozen_reason", frozenReason);
    }

    private static void begin(String name, Pace pace, JsonOut json) {
        json.beginObject(name).field("limit", pace.starts()).field("period", Durations.format(pace.period()));
    }

    private static void override(Limit.Overridden override, JsonOut json) {
        json.beginObject("override");
        override.allowance().write(json);
        json.optional("expires_at", override.until())
                .optional("by", override.by())
                .field("at", override.at())
                .endObject();
    }

    static byte[] bytes(String key) {
        return key.getBytes(UTF_8);
    }

    static @Nullable String text(byte[] key) {
        return key.length == 0 ? null : new String(key, UTF_8);
    }
}
