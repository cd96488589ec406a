package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.TenantMessage.AskGrants;
import io.floodgate.topics.command.TenantMessage.GiveGrants;
import io.floodgate.topics.command.TenantMessage.TenantBound;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gets grants of tenants' bounds from the homes of the tenants, and returns those that are free. */
public final class TenantGrants implements Entity {
    private final Routing routing;
    private final Effects out;
    private final ParkedCommands parked;
    private final TenantAccountStore accounts;
    private final TenantAccounts tenants;

    public TenantGrants(
            TenantAccountStore accounts, TenantAccounts tenants, ParkedCommands parked, PartitionContext context) {
        routing = context.routing();
        out = context.out();
        this.accounts = accounts;
        this.tenants = tenants;
        this.parked = parked;
    }

    /** A tenant has a bound, or has none any more. It is opened once all jobs are counted. */
    public void take(TenantBound message) {
        TenantAccount account = accounts.find(message.key());
        if (account != null && message.version() <= account.version) return;
        if (message.maximum() == 0) {
            if (account != null) remove(account);
            return;
        }
        if (account == null || account.epoch != message.epoch()) account = add(message, account);
        account.version = message.version();
        account.maximum = message.maximum();
        accounts.change(account);
        if (tenants.areCounted()) open(account);
    }

    private TenantAccount add(TenantBound message, @Nullable TenantAccount before) {
        TenantAccount account = new TenantAccount(message.key());
        account.epoch = message.epoch();
        if (before != null) {
            remove(before);
            if (before.earlyEpoch == account.epoch) account.carried = before.early;
        }
        return accounts.add(account);
    }

    /** All jobs are counted: bounds hold from now on. */
    public void openAll() {
        List.copyOf(accounts.all()).forEach(this::open);
    }

    private void open(TenantAccount account) {
        if (account.open || account.epoch == 0) return;
        accounts.change(account).open = true;
        // mutant: tenant-adopts
        account.adopted = accounts.counts.of(account.key) - account.carried;
        // The home gets to know by the next message.
        account.answered = -1;
    }

    private void remove(TenantAccount account) {
        accounts.remove(account);
        parked.resume(account.key);
    }

    public void take(GiveGrants message) {
        TenantAccount account = accounts.find(message.key());
        if (account == null || !account.open || account.epoch != message.epoch()) return;
        accounts.change(account);
        long more = Math.max(0, message.given() - account.received);
        account.received += more;
        account.kept += more;
        account.wanted = Math.max(0, account.wanted - more);
        if (message.number() > account.number) {
            account.number = message.number();
            account.saidAt = out.now();
            account.full = message.full();
            account.current = message.current();
            account.urgent = message.urgent();
            account.recall = message.recall();
            account.queues = new TreeMap<>(message.queues());
        }
        accounts.freed.add(account.key);
        if (more > 0 || message.full()) parked.resume(account.key);
    }

    // ---- the end of a step

    /**
     * Returns grants, and asks for those that jobs wait for.
     *
     * @param waiting what producers, or workers, wait for
     */
    public void settle(Function<GrantKey, GrantDemand> waiting) {
        List<GrantKey> some = List.copyOf(accounts.touched);
        accounts.touched.clear();
        for (GrantKey key : some) {
            TenantAccount account = accounts.find(key);
            if (account != null && account.open) settle(account, waiting.apply(key));
        }
    }

    private void settle(TenantAccount account, GrantDemand ofWaiting) {
        GrantDemand ofParked = parked.demand(account.key);
        GrantDemand demand = ofParked.and(ofWaiting).and(accounts.wishes.getOrDefault(account.key, GrantDemand.NONE));
        long free = accounts.free(account);
        if (ofParked.jobs() > 0 && ofParked.first() <= free) {
            parked.resume(account.key);
            accounts.touched.add(account.key);
            return;
        }
        boolean tells = account.recall != account.answered;
        long kept = tells ? 0 : Math.clamp(account.kept, 0, Math.max(0, free));
        if (kept != account.kept) accounts.change(account).kept = kept;
        // What too few are for goes back, too: the home gives all that it needs at once.
        // mutant: tenant-urgent
        long idle = tells || account.urgent ? free - kept : 0;
        if (idle > 0) tells = giveBack(account, idle);
        free = accounts.free(account);
        long wanted = Math.max(0, demand.jobs() - free);
        if (tells || wanted != account.wanted) tell(account, wanted, Math.max(1, demand.first() - free));
        if (free > 0 && account.lookAt == null) accounts.setTimer(account, true);
    }

    private boolean giveBack(TenantAccount account, long grants) {
        account.returned += grants;
        accounts.change(account);
        return true;
    }

    private void tell(TenantAccount account, long wanted, long first) {
        account.wanted = wanted;
        account.answered = account.recall;
        accounts.change(account);
        boolean shows = account.urgent || account.full;
        AskGrants message = new AskGrants(
                account.key.tenant(),
                account.key.resource(),
                out.log(),
                account.epoch,
                account.adopted,
                account.received,
                account.returned,
                wanted,
                wanted == 0 ? 0 : first,
                account.recall,
                account.number,
                account.full,
                shows ? accounts.counts.most(account.key) : Collections.emptySortedMap());
        out.tell(routing.ofTenant(account.key.tenant()), account.key.tenant(), message);
    }

    /** Returns free grants that no job has come for, and does not listen any more. */
    @Override
    public boolean fire(Timer timer) {
        String name = timer.nameFor(TenantAccountStore.NAME);
        if (name == null) return false;
        TenantAccount account = accounts.find(GrantKey.parse(name));
        if (account == null || account.lookAt == null) return true;
        account.lookAt = null;
        accounts.change(account);
        if (account.active) {
            accounts.setTimer(account, true);
            return true;
        }
        long free = accounts.free(account);
        account.kept = 0;
        account.full = false;
        if (free > 0) giveBack(account, free);
        // The next message says so.
        account.answered = -1;
        return true;
    }

    /** Messages between this partition and that one were lost: sends the totals again. */
    public void verify(PartitionId other) {
        for (TenantAccount account : accounts.all()) {
            if (!account.open || !routing.ofTenant(account.key.tenant()).equals(other)) continue;
            accounts.change(account).answered = -1;
            account.full = false;
        }
    }

    @Override
    public boolean clear(int most) {
        List.copyOf(accounts.all()).stream().limit(most).forEach(this::remove);
        return accounts.all().isEmpty();
    }
}
