package io.floodgate.topics.queue;

import io.floodgate.topics.json.Wire;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has decided about the jobs of a queue, bounds apart.
 *
 * @param fairness between tenants; null if it was not decided
 * @param schemas what becomes of jobs whose arguments do not match their schema; null if it was not decided
 */
public record QueuePolicy(
        @Wire.Inline JobDefaults jobs,
        @Wire.Inline Keeping keeping,
        @Wire.Inline DeadLettering deadLetters,
        @Wire.Inline Access access,
        @Wire.Name(TenantFairness.NAME) @Nullable TenantFairness fairness,
        @Wire.Name(SchemaMode.NAME) @Nullable SchemaMode schemas) {
    public static final QueuePolicy NONE =
            new QueuePolicy(JobDefaults.NONE, Keeping.NONE, DeadLettering.NONE, Access.NONE);

    /** Of a queue in whose order tenants make no difference. */
    public QueuePolicy(JobDefaults jobs, Keeping keeping, DeadLettering deadLetters, Access access) {
        this(jobs, keeping, deadLetters, access, null, null);
    }

    public boolean isNone() {
        return equals(NONE);
    }

    public QueuePolicy with(JobDefaults decided) {
        return new QueuePolicy(decided, keeping, deadLetters, access, fairness, schemas);
    }

    public QueuePolicy with(Keeping decided) {
        return new QueuePolicy(jobs, decided, deadLetters, access, fairness, schemas);
    }

    public QueuePolicy with(DeadLettering decided) {
        return new QueuePolicy(jobs, keeping, decided, access, fairness, schemas);
    }

    public QueuePolicy with(Access decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, decided, fairness, schemas);
    }

    public QueuePolicy with(@Nullable TenantFairness decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, access, decided, schemas);
    }

    public QueuePolicy with(@Nullable SchemaMode decided) {
        return new QueuePolicy(jobs, keeping, deadLetters, access, fairness, decided);
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
                fairness == null ? other.fairness : fairness,
                schemas == null ? other.schemas : schemas);
    }

    QueuePolicy without(Set<String> names) {
        return new QueuePolicy(
                jobs.without(names),
                keeping.without(names),
                deadLetters.without(names),
                access.without(names),
                names.contains(TenantFairness.NAME) ? null : fairness,
                names.contains(SchemaMode.NAME) ? null : schemas);
    }
}
