package io.floodgate.processor.queue.tenant;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.TenantUse;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of tenants in this partition, and whether more may come in: a tenant with a bound over all queues has at most as
 * many jobs here as there are grants. Without a bound of any tenant, nothing is counted.
 */
public final class TenantAccounts implements Entity {
    /** Grants for the next jobs of an operation on many. */
    private static final GrantDemand WISH = new GrantDemand(100, 1);

    /** Position up to which jobs are counted. */
    private static final byte[] COUNTED = Section.of("tenants-counted").key("");

    private final KeyValues stored;
    private final Undo undo;
    private final ParkedCommands parked;
    private final TenantAccountStore accounts;
    private final TenantCounts counts;
    private boolean isCounting;
    private @Nullable JobId countedBefore;

    public TenantAccounts(TenantAccountStore accounts, ParkedCommands parked, PartitionContext context) {
        stored = context.entities();
        undo = context.undo();
        this.accounts = accounts;
        counts = accounts.counts;
        this.parked = parked;
    }

    @Override
    public void load() {
        byte[] position = stored.get(COUNTED);
        isCounting = position != null;
        countedBefore = position == null || position.length == 0 ? null : new BinaryIn(position).job();
    }

    public long memoryBytes() {
        return counts.memoryBytes();
    }

    // ---- counts

    /** Returns whether the tenant of this job is counted: all are as soon as a tenant has a bound, from the first one on. */
    public boolean counts(JobId job) {
        return isCounting && (countedBefore == null || job.compareTo(countedBefore) < 0);
    }

    public boolean isCounting() {
        return isCounting;
    }

    /** Returns whether the tenants of all jobs are counted. */
    boolean areCounted() {
        return isCounting && countedBefore == null;
    }

    /** Counts jobs before this one, or all, from now on. */
    public void countBefore(@Nullable JobId next) {
        setCounted(true, next);
    }

    private void setCounted(boolean counting, @Nullable JobId before) {
        boolean was = isCounting;
        JobId wasBefore = countedBefore;
        isCounting = counting;
        countedBefore = before;
        undo.by(() -> {
            isCounting = was;
            countedBefore = wasBefore;
        });
        if (!counting) stored.delete(COUNTED);
        else
            stored.put(
                    COUNTED,
                    before == null ? new byte[0] : new BinaryOut().job(before).toBytes());
    }

    /** Counts a job while the partition is loaded. */
    public void put(GrantKey key, String queue) {
        counts.count(key, queue, 1);
    }

    public void count(GrantKey key, String queue, long more) {
        counts.count(key, queue, more);
        undo.by(() -> counts.count(key, queue, -more));
        TenantAccount account = accounts.open(key);
        if (account == null) return;
        if (more > 0) accounts.comes(account);
        if (account.urgent || account.lookAt == null || account.wanted > 0) accounts.touched.add(key);
        if (more < 0) accounts.freed.add(key);
    }

    /** Makes the counts what was counted again. */
    public void recount(Map<GrantKey, Map<String, Long>> found) {
        Map<GrantKey, Map<String, Long>> before = counts.all();
        counts.set(found);
        undo.by(() -> counts.set(before));
    }

    // ---- whether jobs may come in

    /** Returns whether a tenant has a bound over all queues. */
    public boolean isActive() {
        return !accounts.all().isEmpty();
    }

    /** Returns whether a tenant has this bound. */
    public boolean areBounded(TenantResource resource) {
        return !accounts.of(resource).isEmpty();
    }

    /** Returns how many of these grants are not here. */
    public long lacking(GrantKey key, long grants) {
        TenantAccount account = accounts.open(key);
        if (account == null) return 0;
        // mutant: tenant-holds
        long lacking = Math.clamp(grants - accounts.free(account), 0, grants);
        if (lacking > 0) accounts.touched.add(key);
        return lacking;
    }

    /** Returns the tenants with jobs in this queue that lack a grant for another run. */
    public Set<String> lackingToRun(String queue) {
        Set<String> tenants = new TreeSet<>();
        for (TenantAccount account : accounts.of(TenantResource.RUNNING)) {
            // mutant: running-held
            if (usable(account) > 0) continue;
            if (!account.open || !queuesOf(account.key.tenant()).contains(queue)) continue;
            tenants.add(account.key.tenant());
            accounts.touched.add(account.key);
        }
        return tenants;
    }

    /** Near the bound, a run that has ended makes room for those that have waited for longest, in whatever partition. */
    private long usable(TenantAccount account) {
        long free = accounts.free(account);
        return account.urgent ? Math.min(free, account.kept) : free;
    }

    /** Returns the queues of this partition with jobs of the tenant. */
    public Set<String> queuesOf(String tenant) {
        return counts.queues(GrantKey.jobs(tenant)).keySet();
    }

    /** Returns whether this bound is used up, as far as is known here. */
    public boolean isFull(GrantKey key) {
        TenantAccount account = accounts.open(key);
        return account != null && account.full;
    }

    /** Returns whether it is not known if there are more grants, so that the home is asked. */
    public boolean isAsking(GrantKey key) {
        TenantAccount account = accounts.open(key);
        if (account == null) return false;
        boolean wasFull = account.full;
        accounts.expire(account);
        // The next message asks again.
        if (wasFull && !account.full) account.answered = -1;
        return !account.full;
    }

    /** Asks for grants for jobs that an operation on many of them comes back for. */
    public void wish(GrantKey key) {
        wish(key, WISH);
    }

    /** Asks for grants without anything that waits for them. */
    public void wish(GrantKey key, GrantDemand grants) {
        accounts.wishes.put(key, grants);
        accounts.touched.add(key);
    }

    /** Returns whether it is not known whether there are grants for jobs that lack them. */
    public boolean isUnknown(GrantKey key) {
        TenantAccount account = accounts.find(key);
        if (account == null || !parked.mayPark(key)) return false;
        accounts.expire(account);
        return !account.full;
    }

    /** Returns the bound, and what the home has said of its use; null without a bound. */
    public @Nullable TenantUse use(GrantKey key) {
        TenantAccount account = accounts.open(key);
        if (account == null) return null;
        return new TenantUse(key.resource().limit(), Math.max(account.current, counts.of(key)), account.maximum);
    }

    /** The same of the unfinished jobs of a tenant. */
    public @Nullable TenantUse useOfJobs(String tenant) {
        return use(GrantKey.jobs(tenant));
    }

    /** Returns the queues that use most of it, as far as the home has said. */
    public Map<String, Long> mostIn(GrantKey key) {
        TenantAccount account = accounts.find(key);
        return account == null || account.queues.isEmpty() ? counts.most(key) : account.queues;
    }

    /** Returns whether the home has not said in time whether there are grants. */
    public boolean isSilent(GrantKey key) {
        TenantAccount account = accounts.find(key);
        return account != null && !account.full && parked.isSilent(key);
    }

    /** Returns the number of tenants that have used up this bound, as far as is known here. */
    public long countFull(TenantResource resource) {
        return accounts.of(resource).stream().filter(account -> account.full).count();
    }

    /** Returns the tenants with a bound over all queues. */
    public Set<String> bounded() {
        Set<String> names = new TreeSet<>();
        for (TenantAccount account : accounts.all()) if (account.epoch > 0) names.add(account.key.tenant());
        return names;
    }

    /** Writes the bounds of the tenant over all queues, and what is used of them here. */
    public void show(String tenant, int mostQueues, JsonOut json) {
        for (TenantResource resource : TenantResource.values()) {
            TenantAccount account = accounts.find(new GrantKey(tenant, resource));
            if (account != null && account.epoch > 0) show(account, mostQueues, json);
        }
    }

    private void show(TenantAccount account, int mostQueues, JsonOut json) {
        json.beginObject(account.key.resource().limit())
                .field("maximum", account.maximum)
                .field("open", account.open)
                .field("used", counts.of(account.key))
                .field("grants", account.holds())
                .beginObject("queues");
        counts.queues(account.key).entrySet().stream()
                .limit(mostQueues)
                .forEach(queue -> json.field(queue.getKey(), queue.getValue()));
        json.endObject().endObject();
    }

    /** Returns the tenants for which something that waits for this may go on, once. */
    public Set<String> takeFreed(TenantResource resource) {
        Set<String> taken = new TreeSet<>();
        for (GrantKey key : accounts.freed) if (key.resource() == resource) taken.add(key.tenant());
        accounts.freed.removeIf(key -> key.resource() == resource);
        return taken;
    }

    // ---- jobs that come from other partitions, or go there

    /** Returns the epoch of the bound whose grant goes with the job; null if none is open here. */
    public @Nullable Long grant(String tenant) {
        TenantAccount account = accounts.open(GrantKey.jobs(tenant));
        return account == null ? null : (Long) account.epoch;
    }

    /** A job goes to another partition, with its grant. */
    public void leaves(String tenant, @Nullable Long grant) {
        TenantAccount account = accounts.open(GrantKey.jobs(tenant));
        if (grant == null || account == null || account.epoch != grant) return;
        // mutant: grant-carried
        accounts.change(account).carried--;
    }

    /** A job comes from another partition, with its grant, or from where the bound was not open. */
    public void arrives(String tenant, @Nullable Long grant) {
        TenantAccount account = accounts.find(GrantKey.jobs(tenant));
        if (grant != null && account != null && account.epoch == grant) {
            accounts.change(account).carried++;
            return;
        }
        if (account != null && account.open) {
            accounts.change(account).adopted++;
            account.answered = -1;
        }
        if (grant == null || (account != null && account.epoch > grant)) return;
        // The bound is on its way here, and the grant counts where the job came from.
        TenantAccount early = accounts.add(account == null ? new TenantAccount(GrantKey.jobs(tenant)) : account);
        early.early = early.earlyEpoch == grant ? early.early + 1 : 1;
        early.earlyEpoch = grant;
    }

    /** Ends the counting if no tenant has a bound any more. */
    public boolean endCounting() {
        if (!isCounting || isActive()) return false;
        setCounted(false, null);
        recount(Collections.emptyMap());
        return true;
    }

    /** Names tenants that use more than their grants, or are counted wrongly: for tests. */
    public List<String> audit(Map<GrantKey, Map<String, Long>> recounted) {
        List<String> problems = new ArrayList<>();
        if (!counts.all().equals(recounted))
            problems.add("tenants are counted as %s, recounted %s".formatted(counts.all(), recounted));
        for (TenantAccount account : accounts.all())
            if (account.open && accounts.free(account) < 0)
                problems.add(
                        "%s uses %d with %d grants".formatted(account.key, counts.of(account.key), account.holds()));
        return problems;
    }
}
