package io.floodgate.processor.queue.state;

import io.floodgate.topics.JobId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Counts the unfinished jobs of each tenant in a queue that bounds its tenants or lets them take turns, and has the
 * ready ones of each. It is kept in memory only, and rebuilt from the jobs at a start; nothing is kept of a tenant
 * without jobs.
 */
public final class TenantJobs {
    /** The limit of OJS multi-tenancy §8.1 that is in force here. */
    public static final String LIMIT = "max_queue_depth";

    /** The share of one tenant. */
    private static final class Share {
        private final ReadyOrder ready = new ReadyOrder();
        private long jobs;
    }

    /** The memory of all of them in a partition: the names of tenants, and entries in their orders. */
    public static final class Total {
        private long tenants;
        private long names;
        private long ready;

        public void clear() {
            tenants = 0;
            names = 0;
            ready = 0;
        }

        public long bytes() {
            return tenants * Memory.TENANT + names + ready * Memory.READY_JOB;
        }
    }

    private final Total total;
    /** Number of orders in which each tenant, and each of its ready jobs, has an entry. */
    private final int places;

    private final TreeMap<String, Share> shares = new TreeMap<>();

    /** @param isFair whether the jobs of each tenant are kept in the order of turns too */
    public TenantJobs(Total total, boolean isFair) {
        this.total = total;
        this.places = isFair ? 2 : 1;
    }

    private Share share(String tenant) {
        Share share = shares.get(tenant);
        if (share != null) return share;
        Share made = new Share();
        shares.put(tenant, made);
        total.tenants += places;
        total.names += tenant.length();
        return made;
    }

    private void forgetIfEmpty(String tenant, Share share) {
        if (share.jobs != 0 || !share.ready.isEmpty()) return;
        shares.remove(tenant);
        total.tenants -= places;
        total.names -= tenant.length();
    }

    public void count(String tenant, long more) {
        Share share = share(tenant);
        share.jobs += more;
        forgetIfEmpty(tenant, share);
    }

    public void addReady(String tenant, int priority, long rank, JobId job) {
        if (share(tenant).ready.add(priority, rank, job)) total.ready += places;
    }

    public void removeReady(String tenant, int priority, long rank, JobId job) {
        Share share = share(tenant);
        if (share.ready.remove(priority, rank, job)) total.ready -= places;
        forgetIfEmpty(tenant, share);
    }

    /** Makes it what was counted again. */
    public void recount(Map<String, Long> counted) {
        Set<String> all = new TreeSet<>(shares.keySet());
        all.addAll(counted.keySet());
        for (String tenant : all) count(tenant, counted.getOrDefault(tenant, 0L) - depth(tenant));
    }

    /** Unfinished jobs by tenant. */
    public Map<String, Long> depths() {
        Map<String, Long> depths = new TreeMap<>();
        shares.forEach((tenant, share) -> depths.put(tenant, share.jobs));
        return depths;
    }

    long depth(String tenant) {
        Share share = shares.get(tenant);
        return share == null ? 0 : share.jobs;
    }

    public ReadyOrder ready(String tenant) {
        Share share = shares.get(tenant);
        return share == null ? ReadyOrder.NONE : share.ready;
    }

    /** Returns all tenants behind this name in the order of names. */
    public Set<String> namesAfter(@Nullable String name) {
        return name == null ? shares.keySet() : shares.tailMap(name, false).keySet();
    }

    /** Returns the tenant of this ready job: a search through all of them. */
    @Nullable
    String tenantOf(JobId job, Queue queue) {
        for (Map.Entry<String, Share> entry : shares.entrySet())
            if (entry.getValue().ready.find(job, queue, null) != null) return entry.getKey();
        return null;
    }

    /** The unfinished jobs of up to {@code most} tenants, those who have the most first. */
    public Map<String, Long> deepest(int most) {
        Map<String, Long> depths = new LinkedHashMap<>();
        shares.entrySet().stream()
                .sorted(Comparator.comparingLong(entry -> -entry.getValue().jobs))
                .limit(most)
                .forEach(entry -> depths.put(entry.getKey(), entry.getValue().jobs));
        return depths;
    }

    /** Unfinished jobs and ready ones, by tenant. */
    public Map<String, List<Integer>> counted() {
        Map<String, List<Integer>> counted = new TreeMap<>();
        shares.forEach((tenant, share) -> counted.put(tenant, List.of((int) share.jobs, share.ready.size())));
        return counted;
    }

    /** Takes these tenants out of the total. */
    public void leaveTotal() {
        sum(-1);
    }

    /** Puts these tenants into the total again. */
    public void enterTotal() {
        sum(1);
    }

    private void sum(int sign) {
        total.tenants += (long) sign * places * shares.size();
        shares.forEach((tenant, share) -> {
            total.names += (long) sign * tenant.length();
            total.ready += (long) sign * places * share.ready.size();
        });
    }
}
