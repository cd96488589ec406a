package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.limit.Allowance;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has decided about a queue; whatever is null was not decided, and is as usual.
 *
 * @param maxDepth unfinished jobs at most; no bound if zero
 * @param maxSizeBytes of unfinished jobs at most; no bound if zero
 * @param strategy for what does not fit
 * @param warningThreshold the part of a bound from which on producers are warned
 * @param tenants what each tenant may have of the queue
 * @param limits what may run of its jobs
 * @param policy what its jobs are given, and how they are treated
 * @param through what gateways write its jobs to
 */
public record QueueConfig(
        @Wire.Least(0) @Nullable Long maxDepth,
        @Wire.Least(0) @Nullable Long maxSizeBytes,
        @Nullable Overflow strategy,
        @Wire.Least(0) @Wire.Most(1) @Nullable Double warningThreshold,
        @Wire.OrEmpty TenantBounds tenants,
        @Wire.OrEmpty Allowance limits,
        @Wire.Inline QueuePolicy policy,
        @Wire.Name("enqueue_through") @Nullable EnqueueThrough through) {
    public static final QueueConfig NONE = new QueueConfig(null, null, null, null);

    /** Stands for every queue, and gives what is not decided about one itself (OJS queue configuration §7.1). */
    public static final String DEFAULT = "_default";

    public static final double DEFAULT_THRESHOLD = 0.8;

    /** Of a queue in which tenants make no difference. */
    public QueueConfig(
            @Nullable Long maxDepth,
            @Nullable Long maxSizeBytes,
            @Nullable Overflow strategy,
            @Nullable Double warningThreshold) {
        this(maxDepth, maxSizeBytes, strategy, warningThreshold, TenantBounds.NONE);
    }

    /** Of a queue whose jobs are not limited. */
    public QueueConfig(
            @Nullable Long maxDepth,
            @Nullable Long maxSizeBytes,
            @Nullable Overflow strategy,
            @Nullable Double warningThreshold,
            TenantBounds tenants) {
        this(maxDepth, maxSizeBytes, strategy, warningThreshold, tenants, Allowance.UNLIMITED, QueuePolicy.NONE, null);
    }

    /** Nothing but bounds of tenants. */
    public static QueueConfig of(TenantBounds tenants) {
        return new QueueConfig(null, null, null, null, tenants, Allowance.UNLIMITED, QueuePolicy.NONE, null);
    }

    /** Nothing but limits. */
    public static QueueConfig of(Allowance limits) {
        return new QueueConfig(null, null, null, null, TenantBounds.NONE, limits, QueuePolicy.NONE, null);
    }

    /** Nothing but a policy. */
    public static QueueConfig of(QueuePolicy policy) {
        return new QueueConfig(null, null, null, null, TenantBounds.NONE, Allowance.UNLIMITED, policy, null);
    }

    /** The same, with this policy. */
    public QueueConfig with(QueuePolicy other) {
        return new QueueConfig(maxDepth, maxSizeBytes, strategy, warningThreshold, tenants, limits, other, through);
    }

    /** Nothing has been decided. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** What is decided here, and otherwise there. */
    public QueueConfig over(QueueConfig other) {
        return new QueueConfig(
                maxDepth == null ? other.maxDepth : maxDepth,
                maxSizeBytes == null ? other.maxSizeBytes : maxSizeBytes,
                strategy == null ? other.strategy : strategy,
                warningThreshold == null ? other.warningThreshold : warningThreshold,
                tenants.over(other.tenants),
                limits.over(other.limits),
                policy.over(other.policy),
                through == null ? other.through : through);
    }

    /** The names are those of the wire. */
    public QueueConfig without(Set<String> names) {
        return new QueueConfig(
                names.contains("max_depth") ? null : maxDepth,
                names.contains("max_size_bytes") ? null : maxSizeBytes,
                names.contains("strategy") ? null : strategy,
                names.contains("warning_threshold") ? null : warningThreshold,
                tenants.without(names),
                limits.without(names),
                policy.without(names),
                names.contains("enqueue_through") ? null : through);
    }

    /** The bound; zero for none. */
    public long depthBound() {
        return maxDepth == null ? 0 : maxDepth;
    }

    /** The bound; zero for none. */
    public long sizeBound() {
        return maxSizeBytes == null ? 0 : maxSizeBytes;
    }

    /** The bound that is shown where there is one figure for it: that of the depth, if it has one; zero for none. */
    public long bound() {
        return depthBound() > 0 ? depthBound() : sizeBound();
    }

    /** As a whole, whatever its tenants may have. */
    public boolean isBounded() {
        return depthBound() > 0 || sizeBound() > 0;
    }

    public Overflow overflow() {
        return strategy == null ? Overflow.REJECT : strategy;
    }

    public double threshold() {
        return warningThreshold == null ? DEFAULT_THRESHOLD : warningThreshold;
    }

    /** How full a queue is: 1 at its bound, the nearer one if there are two; 0 without bounds. */
    public double pressure(long depth, long bytes) {
        double ofDepth = depthBound() == 0 ? 0 : (double) depth / depthBound();
        double ofSize = sizeBound() == 0 ? 0 : (double) bytes / sizeBound();
        return Math.max(ofDepth, ofSize);
    }
}
