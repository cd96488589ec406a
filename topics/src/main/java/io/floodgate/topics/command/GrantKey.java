package io.floodgate.topics.command;

import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.TenantResource;

/** A tenant, and what of it a bound over all queues counts: each has grants of its own. */
public record GrantKey(String tenant, TenantResource resource) implements Comparable<GrantKey> {
    /** Returns the unfinished jobs of the tenant. */
    public static GrantKey jobs(String tenant) {
        return new GrantKey(tenant, TenantResource.JOBS);
    }

    /** Returns the jobs of the tenant that run. */
    public static GrantKey running(String tenant) {
        return new GrantKey(tenant, TenantResource.RUNNING);
    }

    /** Reads what {@link #name} has written. */
    public static GrantKey parse(String name) {
        int end = name.indexOf(':');
        TenantResource resource = WireName.parse(TenantResource.class, name.substring(0, Math.max(0, end)))
                .orElseThrow(() -> new IllegalStateException("'%s' names no bound of a tenant".formatted(name)));
        return new GrantKey(name.substring(end + 1), resource);
    }

    /** Returns both in one. */
    public String name() {
        return resource.wire() + ':' + tenant;
    }

    @Override
    public int compareTo(GrantKey other) {
        int ofResource = resource.compareTo(other.resource);
        return ofResource == 0 ? tenant.compareTo(other.tenant) : ofResource;
    }
}
