package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.ByName;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.LimitKeys;
import io.floodgate.topics.Routing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The permit accounts of a partition, all of them in memory; what a step changes is written at its end. */
public final class PermitAccountStore implements Entity {
    private final KeyValues entities;
    private final Routing routing;
    private final Undo undo;
    private final ByName<PermitAccount> byKey = new ByName<>();
    private final Set<PermitAccount> changed = new LinkedHashSet<>();
    /** Accounts that have permits, or want some. */
    private final TreeMap<String, PermitAccount> busy = new TreeMap<>();
    /** Accounts whose jobs have come, gone, started or ended in this step. */
    private final Set<PermitAccount> touched = new LinkedHashSet<>();

    private long names;
    private long putOff;

    public PermitAccountStore(KeyValues entities, Routing routing, Undo undo) {
        this.routing = routing;
        this.entities = entities;
        this.undo = undo;
    }

    @Override
    public void load() {
        byKey.clear();
        busy.clear();
        names = 0;
        putOff = 0;
        forgetStep();
        byte[] prefix = LimitKeys.allAccounts();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            PermitAccount account = make(Keys.nameAtEnd(key), 0);
            account.restore(value);
            put(account);
            place(account);
            return true;
        });
    }

    private PermitAccount make(String key, long epoch) {
        return new PermitAccount(key, routing.ofLimit(key), epoch);
    }

    private void put(PermitAccount account) {
        account.open = true;
        byKey.put(account.key, account);
        names += account.key.length();
    }

    private void take(PermitAccount account) {
        account.open = false;
        byKey.remove(account.key);
        busy.remove(account.key);
        names -= account.key.length();
    }

    /** Returns when the newest job of the key has defined its limit; 0 if none has. */
    public long definedAt(String key) {
        PermitAccount account = find(key);
        return account == null ? 0 : account.definedAt;
    }

    @Nullable
    public PermitAccount find(String key) {
        return byKey.find(key);
    }

    public PermitAccount open(String key, long epoch) {
        PermitAccount account = make(key, epoch);
        put(account);
        undo.by(() -> take(account));
        changed.add(account);
        return account;
    }

    public void close(PermitAccount account) {
        take(account);
        changed.remove(account);
        touched.remove(account);
        undo.by(() -> {
            put(account);
            changed.add(account);
        });
        entities.delete(LimitKeys.account(account.key));
    }

    /** Adds a job to the account of its key. */
    @Nullable
    public PermitAccount enter(IndexEntry job) {
        return count(job, 1);
    }

    /** Takes a job from the account of its key. */
    @Nullable
    public PermitAccount leave(IndexEntry job) {
        return count(job, -1);
    }

    /** Returns the account of a job's key; null if it has no rate limit. */
    @Nullable
    public PermitAccount of(IndexEntry job) {
        IndexEntry.Limited limited = job.limited();
        return limited == null ? null : byKey.find(limited.key());
    }

    private @Nullable PermitAccount count(IndexEntry job, int by) {
        IndexEntry.Limited limited = job.limited();
        if (limited == null) return null;
        PermitAccount account = byKey.find(limited.key());
        if (account == null)
            throw new IllegalStateException("there is no permit account for key %s".formatted(limited.key()));
        account.jobs += by;
        if (limited.active()) account.active += by;
        if (limited.putOff() && (by > 0 ? account.putOff.add(job.id()) : account.putOff.remove(job.id()))) putOff += by;
        touched.add(account);
        return account;
    }

    public void changed(PermitAccount account) {
        changed.add(account);
    }

    public void touched(PermitAccount account) {
        touched.add(account);
    }

    /** The number of those that have permits or want some. */
    public List<PermitAccount> busy(int most) {
        return busy.values().stream().limit(most).toList();
    }

    public List<PermitAccount> takeTouched() {
        List<PermitAccount> taken = new ArrayList<>(touched);
        touched.clear();
        return taken;
    }

    public Collection<PermitAccount> all() {
        return byKey.all();
    }

    /** Returns the accounts after this key, at most this number. */
    public List<PermitAccount> after(@Nullable String key, int most) {
        return byKey.after(key, most);
    }

    public long bytes() {
        return byKey.size() * Memory.ACCOUNT + names + putOff * Memory.PUT_OFF;
    }

    @Override
    public void save() {
        for (PermitAccount account : changed)
            account.stored.write(LimitKeys.account(account.key), account.write(), entities, undo);
        forgetStep();
    }

    /** Restores the accounts that the step has changed from the store, with their sub-queues. */
    @Override
    public void rollBack() {
        for (PermitAccount account : changed) {
            byte[] stored = entities.get(LimitKeys.account(account.key));
            if (stored == null) continue;
            account.restore(stored);
            place(account);
        }
        forgetStep();
    }

    /** Moves the sub-queues of the account to where its state wants them. */
    public void place(PermitAccount account) {
        if (account.wanted > 0 || account.hasPermits()) busy.put(account.key, account);
        else busy.remove(account.key);
        for (SubQueue subQueue : account.subQueues()) {
            PermitAccount.PermitState standing = account.standingIn(subQueue.name.queue());
            if (subQueue.standing != standing) subQueue.queue.place(subQueue, standing);
        }
    }

    private void forgetStep() {
        changed.clear();
        touched.clear();
    }
}
