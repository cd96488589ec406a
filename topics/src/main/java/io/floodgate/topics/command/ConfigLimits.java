package io.floodgate.topics.command;

import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.retry.RetryOptions;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How large the configuration of a queue may be: it is kept in memory, and looked at with every job. */
final class ConfigLimits {
    /** Of the errors after which nothing is tried again. */
    private static final int ERRORS = 100;

    private ConfigLimits() {}

    static void check(QueueConfig set) throws UnreadableCommand {
        Limits.most("tenants", set.tenants().depths().size(), TenantBounds.MOST);
        for (String tenant : set.tenants().depths().keySet())
            if (!TenantBounds.isName(tenant))
                throw new UnreadableCommand("'%s' is no tenant.".formatted(Limits.echo(tenant)));
        names("allowed_job_types", set.policy().access().jobTypes(), Access.MOST, Access::isTypePattern);
        names("producers", set.policy().access().producers(), Access.MOST, Access::isProducerPattern);
        retry("default_retry", set.policy().jobs().retry());
        fairness(set.policy().fairness());
    }

    private static void fairness(@Nullable TenantFairness fairness) throws UnreadableCommand {
        if (fairness == null) return;
        Limits.most(TenantFairness.NAME, fairness.weights().size(), TenantBounds.MOST);
        for (Map.Entry<String, Long> each : fairness.weights().entrySet())
            if (!TenantBounds.isName(each.getKey()) || !TenantFairness.isWeight(each.getValue()))
                throw new UnreadableCommand("'%s' has no tenant's weight from 1 to %d."
                        .formatted(Limits.echo(each.getKey()), TenantFairness.MAX_WEIGHT));
    }

    static void retry(String field, RetryOptions retry) throws UnreadableCommand {
        names(
                field + ".non_retryable_errors",
                retry.nonRetryableErrors(),
                ERRORS,
                text -> text.length() <= Limits.NAME_CHARS);
    }

    private static void names(String field, @Nullable List<String> names, int most, Predicate<String> isName)
            throws UnreadableCommand {
        if (names == null) return;
        Limits.most(field, names.size(), most);
        for (String name : names)
            if (!isName.test(name))
                throw new UnreadableCommand("'%s' cannot stand in '%s'.".formatted(Limits.echo(name), field));
    }
}
