package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.queue.TenantResource;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The accounts of tenants with a bound, and the counts of all tenants; what a step changes is written at its end. */
public final class TenantAccountStore implements Entity {
    /** Time after which free grants go back if no job of the tenant has come, usually and near the bound. */
    static final Duration IDLE = Duration.ofSeconds(5);

    static final Duration IDLE_URGENT = Duration.ofMillis(250);

    static final String NAME = "tenant-account";
    private static final Section SECTION = Section.of(NAME);
    private static final StoredForm<TenantAccount> STORED =
            new StoredForm<>(TenantAccount.class, 1, "grants of a tenant");

    final TenantCounts counts = new TenantCounts();
    /** Accounts to be looked at as the step ends. */
    final Set<GrantKey> touched = new LinkedHashSet<>();
    /** Grants that this step asks for without a command that waits for them. */
    final Map<GrantKey, GrantDemand> wishes = new TreeMap<>();

    /** Accounts with which something that waits may go on. */
    final Set<GrantKey> freed = new TreeSet<>();

    private final KeyValues stored;
    private final Timers timers;
    private final Effects out;
    private final TreeMap<GrantKey, TenantAccount> accounts = new TreeMap<>();
    private final Set<GrantKey> changed = new TreeSet<>();

    public TenantAccountStore(PartitionContext context) {
        stored = context.entities();
        timers = context.timers();
        out = context.out();
    }

    @Override
    public void load() {
        forgetStep();
        accounts.clear();
        counts.clear();
        SECTION.scan(stored, (name, value) -> {
            TenantAccount account = STORED.read(value);
            accounts.put(account.key, account);
            if (account.lookAt != null) timers.set(Timer.of(NAME, account.lookAt, name));
            return true;
        });
    }

    Collection<TenantAccount> all() {
        return accounts.values();
    }

    /** Returns all accounts of this resource. */
    Collection<TenantAccount> of(TenantResource resource) {
        return accounts.subMap(new GrantKey("", resource), new GrantKey("\uffff", resource))
                .values();
    }

    @Nullable
    TenantAccount find(GrantKey key) {
        return accounts.get(key);
    }

    /** Returns the account of a bound that holds here; null without one. */
    @Nullable
    TenantAccount open(GrantKey key) {
        TenantAccount account = accounts.get(key);
        return account == null || !account.open ? null : account;
    }

    long free(TenantAccount account) {
        return account.holds() - counts.of(account.key);
    }

    TenantAccount add(TenantAccount account) {
        accounts.put(account.key, account);
        return change(account);
    }

    /** Notes that the account changes, and is to be looked at as the step ends. */
    TenantAccount change(TenantAccount account) {
        changed.add(account.key);
        touched.add(account.key);
        return account;
    }

    void remove(TenantAccount account) {
        setTimer(account, false);
        accounts.remove(account.key);
        freed.add(account.key);
    }

    /** Forgets that the bound is full if that was said long ago: it is asked for again. */
    void expire(TenantAccount account) {
        if (account.full && !account.saidAt.plus(IDLE).isAfter(out.now())) change(account).full = false;
    }

    void comes(TenantAccount account) {
        if (account.active || account.lookAt == null) return;
        account.active = true;
        changed.add(account.key);
    }

    void setTimer(TenantAccount account, boolean isOn) {
        if (account.lookAt != null) timers.cancel(Timer.of(NAME, account.lookAt, account.key.name()));
        account.lookAt = isOn ? out.now().plus(account.urgent ? IDLE_URGENT : IDLE) : null;
        account.active = false;
        if (account.lookAt != null) timers.set(Timer.of(NAME, account.lookAt, account.key.name()));
        changed.add(account.key);
    }

    @Override
    public void save() {
        for (GrantKey key : changed) {
            TenantAccount account = accounts.get(key);
            if (account == null) stored.delete(SECTION.key(key.name()));
            else stored.put(SECTION.key(key.name()), STORED.write(account));
        }
        forgetStep();
    }

    @Override
    public void rollBack() {
        for (GrantKey key : changed) {
            byte[] before = stored.get(SECTION.key(key.name()));
            if (before == null) accounts.remove(key);
            else accounts.put(key, STORED.read(before));
        }
        forgetStep();
    }

    private void forgetStep() {
        changed.clear();
        touched.clear();
        wishes.clear();
        freed.clear();
    }
}
