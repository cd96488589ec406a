package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.queue.job.TenantCounting;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.TenantUse;
import io.floodgate.processor.queue.tenant.ParkedCommands;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.GrantKey;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.TenantResource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks whether there are grants of tenants' bounds over all queues for new jobs. */
public record GrantChecks(TenantAccounts accounts, ParkedCommands parked, TenantCounting tenants, Effects out) {
    /** Grants of which it is not known whether there are as many. */
    record Unknown(GrantKey key, long grants) {}

    boolean isActive() {
        return accounts.areBounded(TenantResource.JOBS);
    }

    boolean areThere(Map<String, Long> jobs) {
        return jobs.entrySet().stream()
                .allMatch(own -> accounts.lacking(GrantKey.jobs(own.getKey()), own.getValue()) == 0);
    }

    /** Fills in which jobs lack grants: those of the last queues, if there are some. */
    Collection<RequiredCapacity> fill(Collection<RequiredCapacity> demands) {
        if (!isActive()) return demands;
        Map<String, Long> all = new TreeMap<>();
        for (RequiredCapacity demand : demands)
            demand.tenants().jobs().forEach((tenant, jobs) -> all.merge(tenant, jobs, Long::sum));
        Map<String, Long> lacking = new TreeMap<>();
        all.forEach((tenant, jobs) -> {
            long lack = accounts.lacking(GrantKey.jobs(tenant), jobs);
            if (lack > 0) lacking.put(tenant, lack);
        });
        if (lacking.isEmpty()) return demands;
        List<RequiredCapacity> filled = new ArrayList<>();
        for (RequiredCapacity demand : demands) {
            Map<String, Long> own = new TreeMap<>();
            demand.tenants().jobs().forEach((tenant, jobs) -> {
                long lack = Math.min(jobs, lacking.getOrDefault(tenant, 0L));
                if (lack == 0) return;
                own.put(tenant, lack);
                lacking.merge(tenant, -lack, Long::sum);
            });
            filled.add(demand.lacking(own, all));
        }
        return filled;
    }

    RequiredCapacity fill(RequiredCapacity demand) {
        return fill(List.of(demand)).iterator().next();
    }

    /** Returns the first tenant whose home has to be asked; null if all is known. */
    @Nullable
    Unknown unknown(Collection<RequiredCapacity> demands) {
        for (RequiredCapacity demand : demands)
            for (String tenant : demand.tenants().lacking().keySet())
                if (accounts.isUnknown(GrantKey.jobs(tenant)))
                    return new Unknown(
                            GrantKey.jobs(tenant), demand.tenants().all().getOrDefault(tenant, 0L));
        return null;
    }

    /** Returns a tenant with more jobs here than its bound. */
    @Nullable
    String neverFitting(TenantDemand demand) {
        for (String tenant : demand.lacking().keySet()) {
            TenantUse use = accounts.use(GrantKey.jobs(tenant));
            if (use != null && demand.all().getOrDefault(tenant, 0L) > use.maximum()) return tenant;
        }
        return null;
    }

    /** Returns whether a job that ended can come back, as far as it is known; null if the home has to be asked. */
    @Nullable
    Unknown unknown(JobRecord job) {
        if (!isActive()) return null;
        GrantKey key = GrantKey.jobs(tenants.tenant(job));
        return accounts.lacking(key, 1) > 0 && accounts.isUnknown(key) ? new Unknown(key, 1) : null;
    }

    /** Parks the command, or without one only asks. Returns false if all is known. */
    boolean park(@Nullable Unknown unknown, @Nullable Command command) {
        if (unknown == null) return false;
        if (command == null) accounts.wish(unknown.key);
        else parked.park(unknown.key, unknown.grants, command);
        return true;
    }

    /** Returns the rejection of jobs that lack grants of this tenant. */
    Rejection reject(RequiredCapacity demand, String tenant, boolean isNever) {
        TenantUse use = accounts.use(GrantKey.jobs(tenant));
        if (use == null) throw new IllegalStateException("tenant %s has no bound".formatted(tenant));
        Queue queue = demand.queue();
        boolean isSilent = accounts.isSilent(GrantKey.jobs(tenant));
        Rejection rejection = isNever
                ? Rejection.of(
                                ErrorCode.BATCH_EXCEEDS_BOUND,
                                "%d jobs of tenant '%s' can never fit: its %s over all queues is %d."
                                        .formatted(
                                                demand.tenants().all().get(tenant), tenant, use.limit(), use.maximum()))
                        .with("reason", "batch_exceeds_bound")
                : Rejection.of(
                                ErrorCode.TENANT_LIMIT_EXCEEDED,
                                isSilent
                                        ? silent(tenant, use)
                                        : full(tenant, use, accounts.mostIn(GrantKey.jobs(tenant))))
                        .with("retry_after_seconds", RetryTimes.after(demand, tenant, out.now()));
        if (isSilent && !isNever) rejection = rejection.with("reason", "no_answer");
        JsonOut queues = JsonOut.object();
        accounts.mostIn(GrantKey.jobs(tenant)).forEach(queues::field);
        return rejection
                .with("tenant_id", tenant)
                .with("limit", use.limit())
                .with("current", use.current())
                .with("maximum", use.maximum())
                .with("queue", queue.name)
                .with("depth", use.current())
                .with("bound", use.maximum())
                .with("strategy", queue.config().overflow().wire())
                .with("dimension", "tenant_jobs")
                .withJson("queues", queues.endObject().toString());
    }

    private static String silent(String tenant, TenantUse use) {
        return "The partition that divides the %s (%d) of tenant '%s' has not answered in time"
                .formatted(use.limit(), use.maximum(), tenant);
    }

    private static String full(String tenant, TenantUse use, Map<String, Long> queues) {
        StringBuilder text = new StringBuilder(
                "Tenant '%s' has reached its %s (%d) over all queues".formatted(tenant, use.limit(), use.maximum()));
        String separator = ": ";
        for (Map.Entry<String, Long> queue : queues.entrySet()) {
            text.append(separator).append("%d in queue '%s'".formatted(queue.getValue(), queue.getKey()));
            separator = ", ";
        }
        return text.toString();
    }
}
