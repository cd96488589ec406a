package io.floodgate.processor.queue.bound;

import io.floodgate.processor.queue.tenant.GrantDemand;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Producers that wait at one queue. They come in in the order of their arrival, except that one held up by the bound of
 * a tenant holds up only others of the same tenant: a batch with jobs of several tenants waits for each of them.
 */
final class ProducerWaitQueue {
    /** Tenants of producers that came when tenants made no difference here. */
    private static final Set<String> NO_TENANT = Collections.singleton("");

    /** Most producers whose jobs are added up. */
    private static final int MOST_SEEN = 100;

    private final TreeMap<Long, WaitingProducer> all = new TreeMap<>();
    private final TreeMap<String, TreeMap<Long, WaitingProducer>> byTenant = new TreeMap<>();

    private int own;
    private long ownBytes;

    private static Set<String> tenants(Map<String, Long> jobs) {
        return jobs.isEmpty() ? NO_TENANT : jobs.keySet();
    }

    void add(WaitingProducer waiting) {
        all.put(waiting.number(), waiting);
        if (waiting.own() != null) countOwn(1, waiting.size());
        for (String tenant : tenants(waiting.tenants()))
            byTenant.computeIfAbsent(tenant, t -> new TreeMap<>()).put(waiting.number(), waiting);
    }

    void remove(WaitingProducer waiting) {
        if (all.remove(waiting.number()) != null && waiting.own() != null) countOwn(-1, -waiting.size());
        for (String tenant : tenants(waiting.tenants())) {
            TreeMap<Long, WaitingProducer> own = byTenant.get(tenant);
            if (own != null && own.remove(waiting.number()) != null && own.isEmpty()) byTenant.remove(tenant);
        }
    }

    private void countOwn(int jobs, long bytes) {
        own += jobs;
        ownBytes += bytes;
    }

    int placeOf(WaitingProducer waiting) {
        return all.headMap(waiting.number(), true).size();
    }

    int size() {
        return all.size();
    }

    /** Returns how many of them the system has made. */
    int own() {
        return own;
    }

    long ownBytes() {
        return ownBytes;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    List<WaitingProducer> first(int most) {
        return all.values().stream().limit(most).toList();
    }

    /** Returns the producer that has been waiting for longest. */
    WaitingProducer first() {
        return all.firstEntry().getValue();
    }

    /**
     * Returns the producer that comes in next if there is capacity in the queue: the first one held up neither by a
     * tenant's bound nor by an earlier one of the same tenant.
     */
    @Nullable
    WaitingProducer next(Predicate<Map<String, Long>> tenantsHaveRoom) {
        WaitingProducer next = null;
        for (TreeMap<Long, WaitingProducer> own : byTenant.values()) {
            // mutant: first-waiting-producer
            WaitingProducer first = own.firstEntry().getValue();
            boolean later = next != null && next.number() <= first.number();
            // mutant: tenant-with-room
            if (!later && isFirstOfAll(first) && tenantsHaveRoom.test(first.tenants())) next = first;
        }
        return next;
    }

    boolean has(String tenant) {
        return byTenant.containsKey(tenant);
    }

    /** Returns the grants that the first producers of the tenant wait for, as far as there is room for their jobs. */
    GrantDemand demand(String tenant, long room) {
        TreeMap<Long, WaitingProducer> own = byTenant.get(tenant);
        if (own == null) return GrantDemand.NONE;
        long jobs = 0;
        long left = room;
        int seen = 0;
        for (WaitingProducer waiting : own.values()) {
            if (waiting.jobs() > left || seen++ == MOST_SEEN) break;
            left -= waiting.jobs();
            jobs += waiting.tenants().getOrDefault(tenant, 0L);
        }
        long first = own.firstEntry().getValue().tenants().getOrDefault(tenant, 0L);
        return jobs == 0 ? GrantDemand.NONE : new GrantDemand(jobs, first);
    }

    private boolean isFirstOfAll(WaitingProducer waiting) {
        for (String tenant : tenants(waiting.tenants())) {
            TreeMap<Long, WaitingProducer> own = byTenant.get(tenant);
            if (own == null || own.firstKey() != waiting.number()) return false;
        }
        return true;
    }

    /** Returns whether a waiting producer comes before the one with this number, and with jobs of these tenants. */
    boolean hasBefore(long number, Map<String, Long> jobs, Predicate<Map<String, Long>> tenantsHaveRoom) {
        if (all.isEmpty() || all.firstKey() >= number) return false;
        for (String tenant : tenants(jobs)) {
            TreeMap<Long, WaitingProducer> own = byTenant.get(tenant);
            if (own != null && own.firstKey() < number) return true;
        }
        WaitingProducer next = next(tenantsHaveRoom);
        return next != null && next.number() < number;
    }
}
