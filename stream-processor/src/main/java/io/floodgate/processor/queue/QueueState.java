package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.limit.OwnLimits;
import io.floodgate.processor.queue.permit.QueueLimits;
import io.floodgate.processor.queue.state.DefaultConfig;
import io.floodgate.processor.queue.state.PermitAccountStore;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.tenant.ParkedCommands;
import io.floodgate.processor.queue.tenant.TenantAccountStore;
import io.floodgate.processor.queue.tenant.TenantAccounts;
import io.floodgate.processor.sink.WantedOutcomes;

/** The state of queues that the limits of this partition look at, too. */
public final class QueueState {
    final DefaultConfig defaults;
    final Queues queues;
    final PermitAccountStore accounts;
    final ParkedCommands parked;
    final TenantAccountStore tenantStore;
    final TenantAccounts tenants;
    final WantedOutcomes wanted;

    public QueueState(PartitionContext context) {
        defaults = new DefaultConfig(context.entities(), context.undo());
        wanted = new WantedOutcomes(context);
        parked = new ParkedCommands(context);
        tenantStore = new TenantAccountStore(context);
        tenants = new TenantAccounts(tenantStore, parked, context);
        queues = new Queues(defaults::config, tenants::useOfJobs, context);
        accounts = new PermitAccountStore(context.entities(), context.routing(), context.undo());
    }

    /** Which outcomes of jobs sinks are to get. */
    public WantedOutcomes wanted() {
        return wanted;
    }

    /** The limits of whole queues. */
    public OwnLimits limits() {
        return new QueueLimits(queues);
    }

    /** Returns when the newest job of this partition with this key has defined its limit; 0 if none has. */
    public long definedAt(String key) {
        return accounts.definedAt(key);
    }
}
