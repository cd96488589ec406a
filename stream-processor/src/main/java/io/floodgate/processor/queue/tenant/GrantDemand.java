package io.floodgate.processor.queue.tenant;

/**
 * Grants that jobs of a tenant wait for.
 *
 * @param first the number with which the next ones can come in
 */
public record GrantDemand(long jobs, long first) {
    public static final GrantDemand NONE = new GrantDemand(0, 0);

    public GrantDemand and(GrantDemand other) {
        if (jobs == 0) return other;
        return other.jobs == 0 ? this : new GrantDemand(jobs + other.jobs, Math.min(first, other.first));
    }
}
