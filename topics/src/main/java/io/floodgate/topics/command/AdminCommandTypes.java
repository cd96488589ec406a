package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.AdminCommand.BeginBulk;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.AdminCommand.GetBulk;
import io.floodgate.topics.command.AdminCommand.GetTenant;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.AdminCommand.ListLeases;
import io.floodgate.topics.command.AdminCommand.ListTenants;
import io.floodgate.topics.command.AdminCommand.ListWorkers;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.command.AdminCommand.StopBulk;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import java.util.List;

/** Listings and bulk operations over everything that a partition stores. */
final class AdminCommandTypes {
    static final List<CommandType<?>> ROWS = List.of(
            query(ListJobs.class, PARTITION, SEARCHES, "Lists jobs that match a filter, in the order of their ids.")
                    .json("list-jobs", AdminCommandTypes::writeListJobs, AdminCommandTypes::readListJobs)
                    .bounded(c -> check(c.filter())),
            query(ListDead.class, PARTITION, SEARCHES, "Lists dead letters, newest first.")
                    .json(
                            "list-dead",
                            (c, out) -> out.optional("queue", c.queue())
                                    .field("limit", c.limit())
                                    .optional("after", c.after()),
                            in -> new ListDead(
                                    in.optionalText("queue"),
                                    in.count("limit", ListDead.MAX_LIMIT),
                                    in.optionalText("after")))
                    .bounded(c -> {
                        Limits.name("queue", c.queue());
                        Limits.chars("after", c.after(), Limits.CURSOR_CHARS);
                    }),
            query(ListWorkers.class, PARTITION, READS, "Lists the workers whose registry this partition is, by name.")
                    .json(
                            "list-workers",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListWorkers(in.count("limit", ListWorkers.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.name("after", c.after())),
            query(ListLeases.class, PARTITION, READS, "Lists the jobs of this partition that a worker has leases of.")
                    .json(
                            "list-leases",
                            (c, out) -> out.field("worker_id", c.worker()).field("limit", c.limit()),
                            in -> new ListLeases(in.text("worker_id"), in.count("limit", ListLeases.MAX_LIMIT)))
                    .bounded(c -> Limits.name("worker_id", c.worker())),
            query(ListTenants.class, PARTITION, READS, "Lists the tenants of queues that bound their tenants, by name.")
                    .json(
                            "list-tenants",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListTenants(in.count("limit", ListTenants.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.name("after", c.after())),
            query(GetTenant.class, PARTITION, WORK, "Returns one tenant.")
                    .json(
                            "get-tenant",
                            (c, out) -> out.field("tenant_id", c.tenant()),
                            in -> new GetTenant(in.text("tenant_id")))
                    .bounded(c -> Limits.name("tenant_id", c.tenant())),
            command(BeginBulk.class, PARTITION, WORK, "Starts a bulk operation on all jobs that match a filter.")
                    .json(
                            "begin-bulk",
                            (c, out) -> out.field("operation", c.operation())
                                    .field("action", c.action().wire())
                                    .fieldRaw("filter", c.filter().write()),
                            in -> new BeginBulk(
                                    in.text("operation"),
                                    BulkAction.read(in.text("action")),
                                    JobFilter.read(in.fields("filter"))))
                    .bounded(c -> {
                        Limits.name("operation", c.operation());
                        check(c.filter());
                    }),
            query(GetBulk.class, PARTITION, WORK, "Returns the progress of a bulk operation.")
                    .json(
                            "get-bulk",
                            (c, out) -> out.field("operation", c.operation()),
                            in -> new GetBulk(in.text("operation")))
                    .bounded(c -> Limits.name("operation", c.operation())),
            command(StopBulk.class, PARTITION, WORK, "Stops a bulk operation where it is.")
                    .json(
                            "stop-bulk",
                            (c, out) -> out.field("operation", c.operation()),
                            in -> new StopBulk(in.text("operation")))
                    .bounded(c -> Limits.name("operation", c.operation())),
            command(
                            Maintain.class,
                            PARTITION,
                            WORK,
                            "Turns maintenance on or off: while it is on, no jobs are fetched.")
                    .json(
                            "maintain",
                            (c, out) -> out.field("enabled", c.enabled())
                                    .optional("reason", c.reason())
                                    .optional("until", c.until()),
                            in -> new Maintain(
                                    in.flag("enabled"), in.optionalText("reason"), JobFilter.time(in, "until")))
                    .bounded(c -> Limits.name("reason", c.reason())));

    private AdminCommandTypes() {}

    private static void writeListJobs(ListJobs command, JsonOut out) {
        JobId after = command.after();
        out.fieldRaw("filter", command.filter().write())
                .field("oldest_first", command.oldestFirst())
                .field("limit", command.limit())
                .optional("after", after == null ? null : after.toString());
    }

    private static ListJobs readListJobs(JsonFields in) throws UnreadableCommand, MalformedJson {
        return new ListJobs(
                JobFilter.read(in.fields("filter")),
                in.flag("oldest_first"),
                in.count("limit", ListJobs.MAX_LIMIT),
                in.node("after") == null ? null : in.job("after"));
    }

    private static void check(JobFilter filter) throws UnreadableCommand {
        Limits.name("queue", filter.queue());
        Limits.name("type", filter.type());
        Limits.name("tenant", filter.tenant());
        Limits.name("error_type", filter.errorType());
    }
}
