package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has decided about the jobs of a queue, bounds apart.
 *
 * @param order of jobs with the same order key
 * @param fairness between tenants; null if it was not decided
 * @param schemas what becomes of jobs whose arguments do not match their schema; null if it was not decided
 */
public record QueuePolicy(
        @Wire.Inline JobDefaults jobs,
        @Wire.Inline Keeping keeping,
        @Wire.Inline DeadLettering deadLetters,
        @Wire.Inline Access access,
        @Wire.Inline KeyOrder order,
        @Wire.Name(TenantFairness.NAME) @Nullable TenantFairness fairness,
        @Wire.Name(SchemaMode.NAME) @Nullable SchemaMode schemas) {
    public static final QueuePolicy NONE =
            new QueuePolicy(JobDefaults.NONE, Keeping.NONE, DeadLettering.NONE, Access.NONE);

    /** Of a queue in whose order neither keys nor tenants make a difference. */
    public QueuePolicy(JobDefaults jobs, Keeping keeping, DeadLettering deadLetters, Access access) {
        this(jobs, keeping, deadLetters, access, KeyOrder.NONE, null, null);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    public QueuePolicy with(JobDefaults decided) {
        return new QueuePolicy(decided, keeping, deadLetters, access, order, fairness, schemas);
    }

    public QueuePolicy with(Keeping decided) {
        return new QueuePolicy(jobs, decided, deadLetters, access, order, fairness, schemas);
    }

    public QueuePolicy with(DeadLettering decided) {
        return new QueuePolicy(jobs, keeping, decided, access, order, fairness, schemas);
    }

    public QueuePolicy with(Access decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, decided, order, fairness, schemas);
    }

    public QueuePolicy with(KeyOrder decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, access, decided, fairness, schemas);
    }

    public QueuePolicy with(@Nullable TenantFairness decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, access, order, decided, schemas);
    }

    public QueuePolicy with(@Nullable SchemaMode decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, access, order, fairness, decided);
    }

    /** Whether tenants take turns. */
    public boolean isFair() {
        return fairness != null && fairness.isOn();
    }

    /** What is decided here, and otherwise there: each field by itself. */
    public QueuePolicy over(QueuePolicy other) {
        return new QueuePolicy(
                jobs.over(other.jobs),
                keeping.over(other.keeping),
                deadLetters.over(other.deadLetters),
                access.over(other.access),
                order.over(other.order),
                fairness == null ? other.fairness : fairness,
                schemas == null ? other.schemas : schemas);
    }

    QueuePolicy without(Set<String> names) {
        return new QueuePolicy(
                jobs.without(names),
                keeping.without(names),
                deadLetters.without(names),
                access.without(names),
                order.without(names),
                names.contains(TenantFairness.NAME) ? null : fairness,
                names.contains(SchemaMode.NAME) ? null : schemas);
    }
}
