package io.floodgate.topics.queue;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether the tenants of a queue take turns, each starting as many of its jobs in a round as its weight says.
 *
 * @param isOn false for the order of arrival, whose ever the jobs are
 * @param weights by tenant, in the order of their names; 1 for a tenant without one
 */
public record TenantFairness(boolean isOn, Map<String, Long> weights) {
    /** What it is called in a queue's configuration. */
    public static final String NAME = "tenant_fairness";

    public static final long MAX_WEIGHT = 100;

    public static final TenantFairness OFF = new TenantFairness(false, Map.of());
    public static final TenantFairness ON = new TenantFairness(true, Map.of());

    public TenantFairness {
        weights = Collections.unmodifiableMap(new TreeMap<>(weights));
    }

    public static TenantFairness of(Map<String, Long> weights) {
        return new TenantFairness(true, weights);
    }

    /** The weight of this tenant: its own, or that of all others. */
    public long weight(String tenant) {
        Long own = weights.get(tenant);
        return own == null ? weights.getOrDefault(TenantBounds.OTHERS, 1L) : own;
    }

    /** Whether a tenant can have this weight. */
    public static boolean isWeight(long weight) {
        return weight >= 1 && weight <= MAX_WEIGHT;
    }
}
