package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import java.util.List;

/** Listings and bulk operations over everything that a partition stores. */
final class AdminCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            query(
                    "list-jobs",
                    AdminCommand.ListJobs.class,
                    PARTITION,
                    SEARCHES,
                    "Lists jobs that match a filter, in the order of their ids."),
            query(
                    "list-dead",
                    PartitionCommand.ListDead.class,
                    PARTITION,
                    SEARCHES,
                    "Lists dead letters, newest first."),
            query(
                    "list-workers",
                    AdminCommand.ListWorkers.class,
                    PARTITION,
                    READS,
                    "Lists the workers whose registry this partition is, by name."),
            query(
                    "list-leases",
                    AdminCommand.ListLeases.class,
                    PARTITION,
                    READS,
                    "Lists the jobs of this partition that a worker has leases of."),
            query(
                    "list-tenants",
                    AdminCommand.ListTenants.class,
                    PARTITION,
                    READS,
                    "Lists the tenants of queues that bound their tenants, by name."),
            query("get-tenant", AdminCommand.GetTenant.class, PARTITION, WORK, "Returns one tenant."),
            command(
                    "begin-bulk",
                    AdminCommand.BeginBulk.class,
                    PARTITION,
                    WORK,
                    "Starts a bulk operation on all jobs that match a filter."),
            query("get-bulk", AdminCommand.GetBulk.class, PARTITION, WORK, "Returns the progress of a bulk operation."),
            command("stop-bulk", AdminCommand.StopBulk.class, PARTITION, WORK, "Stops a bulk operation where it is."),
            command(
                    "maintain",
                    AdminCommand.Maintain.class,
                    PARTITION,
                    WORK,
                    "Turns maintenance on or off: while it is on, no jobs are fetched."));

    private AdminCommandTypes() {}
}
