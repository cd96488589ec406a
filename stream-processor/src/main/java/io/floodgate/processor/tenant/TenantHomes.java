package io.floodgate.processor.tenant;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.TenantMessage.AskGrants;
import io.floodgate.topics.command.TenantMessage.GiveGrants;
import io.floodgate.topics.command.TenantMessage.SetTenantBound;
import io.floodgate.topics.command.TenantMessage.TenantBound;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Divides the bounds of tenants among the partitions. Each may use as much of a bound as it holds grants: the sum
 * of what is given never exceeds the bound, however late or often messages come.
 */
public final class TenantHomes implements Entity {
    /** Most bounds whose home is in one partition: every partition keeps all of them. */
    public static final int MOST = 1_000;

    /** Time after which a partition without an answer counts as using all that it holds. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(1);

    private static final String NAME = "tenant-home";
    private static final Section SECTION = Section.of(NAME);
    private static final StoredForm<TenantHome> STORED =
            new StoredForm<>(TenantHome.class, 1, "the bound of a tenant over all queues");

    private final KeyValues stored;
    private final Routing routing;
    private final Timers timers;
    private final Effects out;
    private final Map<GrantKey, TenantHome> homes = new TreeMap<>();
    private final Set<GrantKey> changed = new TreeSet<>();

    public TenantHomes(PartitionContext context) {
        stored = context.entities();
        routing = context.routing();
        timers = context.timers();
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(SetTenantBound.class, this::set);
        handlers.on(AskGrants.class, this::ask);
    }

    @Override
    public void load() {
        homes.clear();
        changed.clear();
        SECTION.scan(stored, (name, value) -> {
            TenantHome home = STORED.read(value);
            homes.put(home.key, home);
            if (home.awaitedUntil != null) timers.set(Timer.of(NAME, home.awaitedUntil, name));
            return true;
        });
    }

    public int size() {
        return homes.size();
    }

    private void set(SetTenantBound command) {
        GrantKey key = command.key();
        PartitionId home = routing.ofTenant(key.tenant());
        if (!home.equals(out.log())) {
            out.pass(home, key.tenant(), command);
            return;
        }
        TenantHome before = homes.get(key);
        Long bound = command.maximum();
        if (bound == null) {
            if (before != null) delete(before);
            out.reply(shown(key, null));
        } else if (before == null && homes.size() >= MOST) {
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "The partition of this tenant has %d bounds of tenants: no other one comes in.".formatted(MOST)));
        } else {
            change(before == null ? open(key) : before, bound);
        }
    }

    private TenantHome open(GrantKey key) {
        TenantHome home = new TenantHome(key, out.nextNumber());
        for (PartitionId log : routing.logs()) home.holders.add(new GrantHolder(log.partition()));
        homes.put(key, home);
        return home;
    }

    private void change(TenantHome home, long maximum) {
        home.version = out.nextNumber();
        home.maximum = maximum;
        supersede(home);
        home.replyTo = out.takeReplyTo();
        changed.add(home.key);
        // All of them are asked for their free grants, also those that kept some for a moment.
        if (home.spare() < 0) home.holders.forEach(holder -> holder.urgent = false);
        for (PartitionId log : routing.logs()) tell(home, log);
        serve(home);
    }

    private void supersede(TenantHome home) {
        if (home.replyTo == null) return;
        Rejection rejection = Rejection.of(
                ErrorCode.CONFLICT, "The bound of tenant '%s' was changed again.".formatted(home.key.tenant()));
        out.replyTo(home.replyTo, new Reply.Rejected(rejection));
    }

    private void delete(TenantHome home) {
        supersede(home);
        homes.remove(home.key);
        changed.add(home.key);
        setAwaited(home, null);
        for (PartitionId log : routing.logs()) tellNone(home.key, home.epoch, log);
    }

    private void tell(TenantHome home, PartitionId log) {
        tell(log, home.key, home.epoch, home.version, home.maximum);
    }

    private void tellNone(GrantKey key, long epoch, PartitionId log) {
        tell(log, key, epoch, out.nextNumber(), 0);
    }

    private void tell(PartitionId log, GrantKey key, long epoch, long version, long maximum) {
        out.tell(log, key.tenant(), new TenantBound(key.tenant(), key.resource(), epoch, version, maximum));
    }

    private static JsonOut shown(GrantKey key, @Nullable Long maximum) {
        return JsonOut.object()
                .field("tenant_id", key.tenant())
                .optional(key.resource().limit(), maximum)
                .endObject();
    }

    private void ask(AskGrants message) {
        TenantHome home = homes.get(message.key());
        if (home == null || home.epoch != message.epoch()) {
            if (home == null) tellNone(message.key(), message.epoch(), message.log());
            else tell(home, message.log());
            return;
        }
        GrantHolder holder = home.holder(message.log().partition());
        boolean hadTurn = holder.full || holder.wanted > 0;
        boolean isPushed = holder.full && holder.pushed;
        holder.take(message, out.now());
        // No job has come for a grant that it was given without asking.
        boolean isIdle = isPushed && !holder.full;
        if (!hadTurn) holder.turn = ++home.turns;
        changed.add(home.key);
        serve(home, holder, isIdle);
    }

    private void serve(TenantHome home) {
        serve(home, null, false);
    }

    /**
     * @param asker the partition that has just asked; null if none has
     * @param isIdle it has returned a grant that no job has come for
     */
    private void serve(TenantHome home, @Nullable GrantHolder asker, boolean isIdle) {
        if (!home.isOpen()) return;
        Set<GrantHolder> told = new LinkedHashSet<>();
        long spare = home.spare();
        for (GrantHolder holder : home.wanting()) {
            if (holder.first > spare) continue;
            long given = Math.min(holder.wanted, spare);
            holder.give(given);
            holder.turn = ++home.turns;
            spare -= given;
            told.add(holder);
        }
        boolean lacks = spare < 0 || !home.wanting().isEmpty();
        if (lacks) {
            recall(home, told);
            if (!isAwaited(home)) tellFull(home, told);
        } else if (spare > 0) {
            spare = serveListening(home, spare, isIdle, told);
            giveAhead(home, asker, spare, told);
        }
        // Should a message be lost, no other one might come: partitions that were quiet for long are asked then.
        if (!home.isAwaited()) setAwaited(home, lacks ? out.now().plus(GrantHolder.LONG) : null);
        told.forEach(holder -> give(home, holder));
        answer(home);
    }

    /** Asks partitions for free grants that do not return these at once, or that have been quiet for long. */
    private void recall(TenantHome home, Set<GrantHolder> told) {
        for (GrantHolder holder : home.holders) {
            // mutant: tenant-recall
            if (holder.urgent && !holder.pushed && !holder.isQuiet(out.now())) continue;
            holder.urgent = true;
            holder.pushed = false;
            holder.heardAt = out.now();
            holder.recall = ++home.recalls;
            told.add(holder);
            setAwaited(home, out.now().plus(ANSWERED_WITHIN));
        }
    }

    private boolean isAwaited(TenantHome home) {
        Instant until = home.awaitedUntil;
        return home.isAwaited() && until != null && until.isAfter(out.now());
    }

    private static void tellFull(TenantHome home, Set<GrantHolder> told) {
        for (GrantHolder holder : home.wanting()) {
            if (!holder.full) told.add(holder);
            holder.full = true;
        }
    }

    /** Gives one grant each to partitions that know that there are none; if some are left, all get to know. */
    private static long serveListening(TenantHome home, long spare, boolean isIdle, Set<GrantHolder> told) {
        long left = spare;
        for (GrantHolder holder : home.listening()) {
            if (left == 0 || isIdle) break;
            holder.give(1);
            holder.pushed = true;
            holder.turn = ++home.turns;
            left--;
            told.add(holder);
        }
        if (left == 0) return 0;
        for (GrantHolder holder : home.holders) {
            if (holder.full) told.add(holder);
            holder.full = false;
        }
        return left;
    }

    /** Gives more than was asked for while much is left, so that the next jobs need no question. */
    private void giveAhead(TenantHome home, @Nullable GrantHolder asker, long spare, Set<GrantHolder> told) {
        if (asker == null) return;
        boolean isFar = 4 * spare >= home.maximum;
        if (asker.urgent && isFar) {
            asker.urgent = false;
            told.add(asker);
        }
        long ahead = spare / (2L * routing.partitions());
        if (!told.contains(asker) || home.isUrgent() || ahead == 0) return;
        asker.give(ahead);
    }

    private void give(TenantHome home, GrantHolder holder) {
        holder.told = out.nextNumber();
        changed.add(home.key);
        GiveGrants message = new GiveGrants(
                home.key.tenant(),
                home.key.resource(),
                home.epoch,
                holder.told,
                holder.given,
                holder.full,
                Math.max(0, home.current()),
                holder.urgent,
                holder.recall,
                holder.full ? home.queues() : Collections.emptySortedMap());
        out.tell(new PartitionId(holder.partition), home.key.tenant(), message);
    }

    /** Answers the caller that has set the bound, once no partition can go beyond it. */
    private void answer(TenantHome home) {
        if (home.replyTo == null || (home.spare() < 0 && home.isAwaited())) return;
        out.replyTo(home.replyTo, new Reply.Done(shown(home.key, home.maximum).toBytes()));
        home.replyTo = null;
        changed.add(home.key);
    }

    private void setAwaited(TenantHome home, @Nullable Instant until) {
        if (home.awaitedUntil != null) timers.cancel(Timer.of(NAME, home.awaitedUntil, home.key.name()));
        home.awaitedUntil = until;
        if (until != null) timers.set(Timer.of(NAME, until, home.key.name()));
        changed.add(home.key);
    }

    @Override
    public boolean fire(Timer timer) {
        String name = timer.nameFor(NAME);
        if (name == null) return false;
        TenantHome home = homes.get(GrantKey.parse(name));
        if (home == null) return true;
        home.awaitedUntil = null;
        changed.add(home.key);
        serve(home);
        return true;
    }

    /** Messages between this partition and that one were lost: sends the totals again. */
    public void verify(PartitionId other) {
        for (TenantHome home : homes.values()) {
            tell(home, other);
            if (home.holder(other.partition()).open) give(home, home.holder(other.partition()));
        }
    }

    @Override
    public void save() {
        for (GrantKey key : changed) {
            TenantHome home = homes.get(key);
            if (home == null) stored.delete(SECTION.key(key.name()));
            else stored.put(SECTION.key(key.name()), STORED.write(home));
        }
        changed.clear();
    }

    @Override
    public void rollBack() {
        for (GrantKey key : changed) {
            byte[] before = stored.get(SECTION.key(key.name()));
            if (before == null) homes.remove(key);
            else homes.put(key, STORED.read(before));
        }
        changed.clear();
    }

    @Override
    public boolean clear(int most) {
        List<TenantHome> some = new ArrayList<>(homes.values()).subList(0, Math.min(most, homes.size()));
        some.forEach(this::delete);
        return homes.isEmpty();
    }
}
