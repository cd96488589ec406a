package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.kernel.Work.Piece;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.processor.queue.tenant.TenantGrants;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.TenantMessage.TenantBound;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the jobs of all tenants when the first of them gets a bound over all queues: a slice at a time, the first one at
 * once, in the order of ids. Jobs before the position reached are counted as they come and go ({@link TenantCounting}).
 */
public final class TenantSweep {
    private static final String KIND = "count-all-tenants";
    private static final JobId FIRST = new JobId(0, 0);

    private final Queues queues;
    private final Jobs jobs;
    private final TenantRecount recount;
    private final TenantAccounts accounts;
    private final TenantGrants grants;
    private final Work work;

    public TenantSweep(
            Queues queues, Jobs jobs, TenantRecount recount, TenantAccounts accounts, TenantGrants grants, Work work) {
        this.queues = queues;
        this.jobs = jobs;
        this.recount = recount;
        this.accounts = accounts;
        this.grants = grants;
        this.work = work;
        work.register(KIND, this::next);
    }

    /** A tenant has a bound, or has none any more. */
    public void take(TenantBound message) {
        grants.take(message);
        if (message.maximum() > 0 && !accounts.isCounting()) {
            JobId next = countSome(FIRST);
            if (next != null) work.begin(KIND, new BinaryOut().job(next).toBytes());
        } else if (accounts.endCounting()) {
            work.end(KIND);
        } else {
            return;
        }
        // Queues that drop the oldest job of a tenant need the jobs of each.
        queues.all().forEach(recount::follow);
    }

    private byte @Nullable [] next(Piece piece) {
        if (!accounts.isCounting()) return null;
        JobId next = countSome(new BinaryIn(piece.cursor()).job());
        return next == null ? null : new BinaryOut().job(next).toBytes();
    }

    /** Counts a slice. Returns where the next one begins; null if it was the last. */
    private @Nullable JobId countSome(JobId from) {
        List<JobId> some = new ArrayList<>();
        JobId next = jobs.collectLive(null, from, some);
        accounts.countBefore(next);
        some.forEach(jobs::countForAll);
        if (next == null) grants.openAll();
        return next;
    }
}
