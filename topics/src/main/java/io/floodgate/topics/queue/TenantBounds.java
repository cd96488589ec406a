package io.floodgate.topics.queue;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many unfinished jobs each tenant may have in a queue that it shares with others (OJS backpressure §9.2); no bound if
 * zero.
 *
 * @param depths by tenant, in the order of their names
 */
public record TenantBounds(Map<String, Long> depths) {
    /** Stands for every tenant that is not named. */
    public static final String OTHERS = "*";

    /** They are stored, and published, with every change of the queue. */
    public static final int MOST = 100;

    /** What a tenant is called where single bounds are taken back, beside the names of other settings. */
    public static final String PREFIX = "tenants.";

    public static final TenantBounds NONE = new TenantBounds(Map.of());

    public TenantBounds {
        depths = Collections.unmodifiableMap(new TreeMap<>(depths));
    }

    /** Whether a bound can be given under this name. */
    public static boolean isName(String tenant) {
        return tenant.equals(OTHERS) || tenant.equals(TenantId.DEFAULT) || TenantId.isTenant(tenant);
    }

    public boolean isNone() {
        return depths.isEmpty();
    }

    /** The bound of this tenant; zero for none. */
    public long of(String tenant) {
        Long own = depths.get(tenant);
        return own == null ? depths.getOrDefault(OTHERS, 0L) : own;
    }

    /** What is decided here, and otherwise there: tenant by tenant. */
    TenantBounds over(TenantBounds other) {
        if (isNone()) return other;
        Map<String, Long> all = new TreeMap<>(other.depths);
        all.putAll(depths);
        return new TenantBounds(all);
    }

    /** @param names {@code tenants} for all, or one with the prefix */
    TenantBounds without(Set<String> names) {
        if (isNone()) return this;
        Map<String, Long> rest = new TreeMap<>(depths);
        rest.keySet().removeIf(tenant -> names.contains("tenants") || names.contains(PREFIX + tenant));
        return new TenantBounds(rest);
    }
}
