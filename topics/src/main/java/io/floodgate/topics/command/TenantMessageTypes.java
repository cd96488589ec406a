package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.TENANT;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.message;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.queue.TenantId;
import java.util.List;

/** Commands and messages about bounds of tenants over all queues. */
final class TenantMessageTypes {
    static final List<CommandType<?>> ROWS = rows(
            command(
                            "set-tenant-bound",
                            TenantMessage.SetTenantBound.class,
                            TENANT,
                            WORK,
                            "Sets or deletes the bound of a tenant over all queues.")
                    .bounded(c -> check(c.tenant())),
            message(
                            "tenant-bound",
                            TenantMessage.TenantBound.class,
                            PARTITION,
                            "A tenant has this bound over all queues, or none.")
                    .bounded(c -> check(c.tenant())),
            message(
                            "tenant-ask",
                            TenantMessage.AskGrants.class,
                            TENANT,
                            "Returns grants of a tenant, and asks for more.")
                    .bounded(c -> check(c.tenant())),
            message("tenant-grant", TenantMessage.GiveGrants.class, PARTITION, "Grants for jobs of a tenant, or none.")
                    .bounded(c -> check(c.tenant())));

    private TenantMessageTypes() {}

    private static void check(String tenant) throws UnreadableCommand {
        if (!tenant.equals(TenantId.DEFAULT) && !TenantId.isTenant(tenant))
            throw new UnreadableCommand("'%s' cannot be a tenant.".formatted(Limits.echo(tenant)));
    }
}
