package io.floodgate.processor.limit;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.GetLimit;
import io.floodgate.topics.command.LimitCommand.ListLimits;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.AskPermits;
import io.floodgate.topics.command.Message.FreezeLimit;
import io.floodgate.topics.command.Message.LimitChanged;
import io.floodgate.topics.command.Message.PermitUse;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The limits whose keys lead to this partition: permits are given here, in one order, to whichever logs have jobs. A permit counts from
 * when it is given until it is reported when a job started on it, or that none did; the start counts from then on. Logs that
 * want more than there is are served in turn as soon as there is some.
 */
public final class LimitRules implements Entity {
    /** The time after which an unused limit is forgotten. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(1);

    /** The longest time that a key can be frozen for. */
    private static final Duration LONGEST_FREEZE = Duration.ofDays(366);

    /** Permits due within this time are given together: each tick costs records in several partitions. */
    private static final long TOGETHER_MS = 10;

    private static final int SLICE = 200;
    private static final String VERIFY = "verify-limits";

    private final LimitMemory memory;
    private final LimitStore limits;
    private final LimitCommands commands;
    private final PermitOutbox post;
    private final PermitGrants mail;
    private final Returns returns;
    private final Work work;
    private final Effects out;
    private final ToLongFunction<String> saidHere;

    /**
     * @param queueLimits of the queues of this partition
     * @param saidHere when the newest job of this partition has said what it says of a key
     */
    public LimitRules(OwnLimits queueLimits, ToLongFunction<String> saidHere, PartitionContext context) {
        this.saidHere = saidHere;
        this.work = context.work();
        this.out = context.out();
        memory = new LimitMemory(context::settings);
        limits = new LimitStore(context.entities(), context.timers(), memory, context.undo());
        post = new PermitOutbox(context.out());
        mail = new PermitGrants(post, context.out());
        returns = new Returns(context.out());
        commands = new LimitCommands(limits, queueLimits, this::changed, context.out());
        context.work().register(VERIFY, this::verifySlice);
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(GetLimit.class, commands::get);
        handlers.on(ListLimits.class, commands::list);
        handlers.on(OverrideLimit.class, commands::override);
        handlers.on(EndOverride.class, commands::end);
        handlers.on(FreezeLimit.class, this::freeze);
    }

    /** The messages about permits to this partition and to others. */
    public PermitOutbox post() {
        return post;
    }

    public LimitCommands commands() {
        return commands;
    }

    /** A partition reports the permits that it has, and asks for more. */
    public void ask(AskPermits message) {
        Limit limit = limits.find(message.key());
        if (limit == null && message.leaves() && message.used().isEmpty()) return;
        if (limit == null) {
            LimitMemory.Share share = memory.of(message.key());
            // Jobs that run already count, whatever the memory.
            boolean isNew = message.received() == 0 && message.held() == 0;
            if (isNew && share.isSpent()) {
                if (message.wanted() > 0) mail.tellFull(message, share);
                return;
            }
            limit = limits.use(message.key());
        }
        limits.changed(limit);
        for (PermitUse use : message.used())
            limit.limiter.started(
                    limit.allowance(),
                    use.date(),
                    use.at() == PermitUse.ON_ARRIVAL ? out.now().toEpochMilli() : use.at(),
                    use.count(),
                    message.log().partition());
        Holder holder = limit.holder(message.log());
        if (holder != null && message.epoch() < holder.epoch) return;
        if (holder == null || message.epoch() > holder.epoch) holder = limit.enter(message.log(), message.epoch());
        holder.given = Math.max(holder.given, message.received());
        holder.received = message.received();
        holder.held = message.held();
        holder.recalledAt = 0;
        for (long date : message.unused().reversed()) limit.limiter.putBack(limit.allowance(), date);
        if (message.leaves()) {
            limit.confirm(message.allowance(), said(message));
            leave(limit, holder);
        } else {
            holder.says = message.allowance();
            define(limit, message);
            holder.stale = message.stale();
            mail.tellStale(limit);
            want(holder, Math.max(0, message.received() + message.wanted() - holder.given));
        }
        serve(limit, message.wanted() > 0 ? holder : null, message.asked());
    }

    /**
     * Takes the allowance of the newest job. A repeated allowance of a job in this partition is not written each time:
     * the permit account knows its time.
     */
    private void define(Limit limit, AskPermits message) {
        if (message.log().equals(out.log())) {
            if (limit.isDefinedAs(message.allowance())) return;
        } else {
            Holder here = limit.holder(out.log());
            if (here != null) limit.confirm(here.says, saidHere.applyAsLong(limit.key));
        }
        Allowance before = limit.allowance();
        limit.redefine(message.allowance(), said(message));
        if (!before.isUnlimited() && !before.equals(limit.allowance())) tellChange(limit);
    }

    /**
     * Returns when a job has defined the allowance. It is never later than now, so that newer jobs count soon even if
     * that partition's clock is ahead.
     */
    private long said(AskPermits message) {
        return Math.min(message.definedAt(), out.now().toEpochMilli());
    }

    /** A job of this partition has started on a permit. */
    public void started(String key, long date) {
        Limit limit = limits.find(key);
        if (limit == null) return;
        limit.limiter.started(
                limit.allowance(), date, out.now().toEpochMilli(), 1, out.log().partition());
        limits.changed(limit);
        wake(limit, limit.limiter.held(limit.allowance(), limit.outstanding(), out.now()));
    }

    private void leave(Limit limit, Holder holder) {
        holder.wanted = 0;
        // What is still on its way there comes back.
        if (holder.outstanding() == 0) limit.leave(holder);
    }

    private void want(Holder holder, long wanted) {
        if (holder.wanted == 0 && wanted > 0) holder.turn = out.nextNumber();
        holder.wanted = (int) Math.min(wanted, AskPermits.MOST_WANTED);
    }

    private void freeze(FreezeLimit message) {
        Limit limit = limits.find(message.key());
        if (limit == null) return;
        Instant latest = out.now().plus(LONGEST_FREEZE);
        Instant until = message.until().isBefore(latest) ? message.until() : latest;
        // mutant: key-frozen
        limit.freeze(until, Limits.echo(message.reason()), out.now());
        LimitEvents.adjusted(message.key(), null, until, message.reason(), out);
        settleAgain(limit);
    }

    /** Something else is in force now: permits that were given before, and are not used yet, are not to be used any more. */
    private void settleAgain(Limit limit) {
        mail.recall(limit);
        settle(limit);
    }

    /** Something else is allowed now. */
    private void changed(Limit limit) {
        tellChange(limit);
        settleAgain(limit);
    }

    private void tellChange(Limit limit) {
        for (Holder holder : limit.holders()) out.tell(holder.log, "limit:" + limit.key, new LimitChanged(limit.key));
    }

    /** Something about the limit has changed. */
    private void settle(Limit limit) {
        limits.changed(limit);
        serve(limit, null, 0);
    }

    /**
     * @param asker is answered in any case
     * @param asked when it asked
     */
    private void serve(Limit limit, @Nullable Holder asker, long asked) {
        Instant now = out.now();
        limit.forgetOld(now);
        Allowance allowance = limit.allowance();
        Turns turns = new Turns();
        long active = limit.outstanding();
        for (int wanting = limit.wanting(); wanting > 0; wanting = limit.wanting()) {
            Holder next = limit.next().orElseThrow();
            int room = limit.limiter.room(allowance, active, now, ahead(next), next.log.partition());
            if (room == 0) break;
            int count = Math.min(next.wanted, Math.max(1, room / wanting));
            turns.give(next, limit.limiter.take(allowance, count, now, next.log.partition()));
            // mutant: permits-given
            next.given += count;
            active += count;
            next.wanted -= count;
            if (next.wanted > 0) next.turn = out.nextNumber();
        }
        if (allowance.isPaced()) limit.limiter.awaited(limit.wanting() > 0, now);
        Held held = limit.limiter.held(allowance, active, now);
        List<Holder> recalled = returns.recall(limit, held, asker);
        boolean unsure = returns.areAwaited(limit, held);
        for (Holder holder : limit.holders()) {
            List<Permits> given = turns.of(holder);
            // A partition that knows that there are none must not learn that there are some again.
            if (unsure && given.isEmpty()) continue;
            mail.tell(limit, holder, given, unsure ? null : held, holder == asker ? asked : 0);
        }
        // After what was given: a partition that is asked before would take it for lost.
        recalled.forEach(holder -> mail.askToTell(limit, holder));
        wake(limit, held);
    }

    /**
     * Returns how long before their date permits are given. Only permits that travel to another partition are given
     * ahead.
     */
    private long ahead(Holder holder) {
        return holder.log.equals(out.log()) ? 0 : Limiter.AHEAD_MS;
    }

    private void wake(Limit limit, @Nullable Held held) {
        Instant at = wakeAt(limit, held);
        limits.wake(limit, returns.areAwaited(limit, held) ? returns.awaitedUntil(limit, at) : at);
    }

    private @Nullable Instant wakeAt(Limit limit, @Nullable Held held) {
        Limit.Overridden override = limit.override();
        Instant at = override == null ? null : override.until();
        boolean waits = false;
        for (Holder holder : limit.holders()) waits |= holder.wanted > 0 || holder.listens;
        Instant over = waits && held != null ? over(limit, held) : null;
        if (over != null && (at == null || over.isBefore(at))) at = over;
        if (!limit.isUnused()) return at;
        Instant quiet = limit.limiter.quietAt(limit.allowance());
        return (quiet.isAfter(out.now()) ? quiet : out.now()).plus(FORGOTTEN);
    }

    /** Returns when more permits can be given. Permits at short intervals are given several at a time. */
    private @Nullable Instant over(Limit limit, Held held) {
        Allowance allowance = limit.allowance();
        long ahead = limit.next().map(this::ahead).orElse(0L);
        int where = limit.next().map(holder -> holder.log.partition()).orElse(Limiter.ANYWHERE);
        Instant opens = limit.limiter.opensAt(allowance, limit.outstanding(), out.now(), ahead, where);
        Pace pace = held.strategy() == Strategy.RATE ? allowance.rate() : allowance.throttle();
        boolean paced = held.strategy() == Strategy.RATE || held.strategy() == Strategy.THROTTLE;
        if (opens == null || !paced || pace == null) return opens;
        boolean often = pace.starts() * TOGETHER_MS > pace.period().toMillis();
        return often ? Instant.ofEpochMilli(Math.ceilDiv(opens.toEpochMilli(), TOGETHER_MS) * TOGETHER_MS) : opens;
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.LIMIT) return false;
        Limit limit = limits.find(timer.name());
        if (limit == null) return true;
        limit.timer(null);
        Limit.Overridden override = limit.override();
        boolean ends = override != null
                && override.until() != null
                && !override.until().isAfter(out.now());
        if (ends) endOverride(limit);
        boolean quiet = !limit.limiter.quietAt(limit.allowance()).isAfter(out.now());
        if (override == null && limit.isUnused() && quiet) limits.remove(limit);
        else if (ends) settleAgain(limit);
        else settle(limit);
        return true;
    }

    private void endOverride(Limit limit) {
        commands.endOverride(limit);
        tellChange(limit);
    }

    // ---- after messages were lost

    /** Messages between this partition and that one were lost: both send again what they have. */
    public void verify(PartitionId other) {
        if (!other.equals(out.log()) && !work.has(VERIFY, other.toString())) work.begin(VERIFY, other.toString(), null);
    }

    private byte @Nullable [] verifySlice(Work.Piece piece) {
        PartitionId other = PartitionId.parse(piece.subject());
        String from = piece.cursor().length == 0 ? null : LimitCommands.text(piece.cursor());
        List<Limit> slice = limits.after(from, SLICE);
        for (Limit limit : slice) {
            Holder holder = limit.holder(other);
            if (holder != null) mail.askToTell(limit, holder);
        }
        return slice.size() < SLICE ? null : LimitCommands.bytes(slice.getLast().key);
    }

    @Override
    public void load() {
        limits.load();
    }

    @Override
    public void serve() {
        post.send();
    }

    @Override
    public void save() {
        limits.save();
    }

    @Override
    public void rollBack() {
        post.forget();
        limits.rollBack();
    }

    /** Partitions that still have jobs of a key are to say so again. */
    @Override
    public boolean clear(int most) {
        List<Limit> some = limits.after(null, most);
        for (Limit limit : some) {
            for (Holder holder : limit.holders()) if (!holder.log.equals(out.log())) mail.askToTell(limit, holder);
            commands.forget(limit);
            limits.remove(limit);
        }
        return some.size() < most;
    }

    public long memoryBytes() {
        return memory.bytes();
    }
}
