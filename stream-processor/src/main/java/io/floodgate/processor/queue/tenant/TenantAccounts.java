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
import io.floodgate.topics.json.JsonOut;
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
    public void put(String tenant, String queue) {
        counts.count(tenant, queue, 1);
    }

    public void count(String tenant, String queue, long more) {
        counts.count(tenant, queue, more);
        undo.by(() -> counts.count(tenant, queue, -more));
        TenantAccount account = accounts.open(tenant);
        if (account == null) return;
        if (more > 0) accounts.comes(account);
        if (account.urgent || account.lookAt == null || account.wanted > 0) accounts.touched.add(tenant);
        if (more < 0) accounts.freed.add(tenant);
    }

    /** Makes the counts what was counted again. */
    public void recount(Map<String, Map<String, Long>> found) {
        Map<String, Map<String, Long>> before = counts.all();
        counts.set(found);
        undo.by(() -> counts.set(before));
    }

    // ---- whether jobs may come in

    /** Returns whether a tenant has a bound over all queues. */
    public boolean isActive() {
        return !accounts.all().isEmpty();
    }

    /** Returns how many of these jobs lack a grant. */
    public long lacking(String tenant, long jobs) {
        TenantAccount account = accounts.open(tenant);
        if (account == null) return 0;
        // mutant: tenant-holds
        long lacking = Math.clamp(jobs - accounts.free(account), 0, jobs);
        if (lacking > 0) accounts.touched.add(tenant);
        return lacking;
    }

    /** Asks for grants for jobs that an operation on many of them comes back for. */
    public void wish(String tenant) {
        accounts.wishes.put(tenant, WISH);
        accounts.touched.add(tenant);
    }

    /** Returns whether it is not known whether there are grants for jobs that lack them. */
    public boolean isUnknown(String tenant) {
        TenantAccount account = accounts.find(tenant);
        if (account == null || !parked.mayPark(tenant)) return false;
        accounts.expire(account);
        return !account.full;
    }

    /** Returns the bound of the tenant, and what the home has said of its use; null without a bound. */
    public @Nullable TenantUse use(String tenant) {
        TenantAccount account = accounts.open(tenant);
        if (account == null) return null;
        return new TenantUse(TenantUse.OVER_ALL, Math.max(account.current, counts.jobs(tenant)), account.maxJobs);
    }

    /** Returns the queues with most of the tenant's jobs, as far as the home has said. */
    public Map<String, Long> mostIn(String tenant) {
        TenantAccount account = accounts.find(tenant);
        return account == null || account.queues.isEmpty() ? counts.most(tenant) : account.queues;
    }

    /** Returns whether the home has not said in time whether there are grants. */
    public boolean isSilent(String tenant) {
        TenantAccount account = accounts.find(tenant);
        return account != null && !account.full && parked.isSilent(tenant);
    }

    /** Returns the number of tenants that have used up their bounds, as far as is known here. */
    public long countFull() {
        return accounts.all().stream().filter(account -> account.full).count();
    }

    /** Returns the tenants with a bound over all queues. */
    public Set<String> bounded() {
        Set<String> names = new TreeSet<>();
        for (TenantAccount account : accounts.all()) if (account.epoch > 0) names.add(account.tenant);
        return names;
    }

    /** Writes the bound of the tenant over all queues, and what is used of it here. */
    public void show(String tenant, int mostQueues, JsonOut json) {
        TenantAccount account = accounts.find(tenant);
        if (account == null || account.epoch == 0) return;
        json.beginObject("over_all")
                .field("max_jobs", account.maxJobs)
                .field("open", account.open)
                .field("jobs", counts.jobs(tenant))
                .field("grants", account.holds())
                .beginObject("queues");
        counts.queues(tenant).entrySet().stream()
                .limit(mostQueues)
                .forEach(queue -> json.field(queue.getKey(), queue.getValue()));
        json.endObject().endObject();
    }

    /** Returns the tenants of which producers may come in, once. */
    public Set<String> takeFreed() {
        Set<String> taken = new TreeSet<>(accounts.freed);
        accounts.freed.clear();
        return taken;
    }

    // ---- jobs that come from other partitions, or go there

    /** Returns the epoch of the bound whose grant goes with the job; null if none is open here. */
    public @Nullable Long grant(String tenant) {
        TenantAccount account = accounts.open(tenant);
        return account == null ? null : (Long) account.epoch;
    }

    /** A job goes to another partition, with its grant. */
    public void leaves(String tenant, @Nullable Long grant) {
        TenantAccount account = accounts.open(tenant);
        if (grant == null || account == null || account.epoch != grant) return;
        // mutant: grant-carried
        accounts.change(account).carried--;
    }

    /** A job comes from another partition, with its grant, or from where the bound was not open. */
    public void arrives(String tenant, @Nullable Long grant) {
        TenantAccount account = accounts.find(tenant);
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
        TenantAccount early = accounts.add(account == null ? new TenantAccount(tenant) : account);
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

    /** Names tenants whose jobs are more than their grants, or counted wrongly: for tests. */
    public List<String> audit(Map<String, Map<String, Long>> recounted) {
        List<String> problems = new ArrayList<>();
        if (!counts.all().equals(recounted))
            problems.add("jobs of tenants are counted as %s, recounted %s".formatted(counts.all(), recounted));
        for (TenantAccount account : accounts.all())
            if (account.open && accounts.free(account) < 0)
                problems.add("tenant %s has %d jobs with %d grants"
                        .formatted(account.tenant, counts.jobs(account.tenant), account.holds()));
        return problems;
    }
}
