package io.floodgate.topics.command;

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
import io.floodgate.topics.command.CommandCodec.Encoded;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;

/** {@link AdminCommand}s to and from records. */
final class AdminCodec {
    private AdminCodec() {}

    static Encoded encode(AdminCommand command) {
        JsonOut out = new JsonOut().beginObject();
        String op = switch (command) {
            case ListJobs c -> {
                JobId after = c.after();
                out.fieldRaw("filter", c.filter().write())
                        .field("oldest_first", c.oldestFirst())
                        .field("limit", c.limit())
                        .optional("after", after == null ? null : after.toString());
                yield "list-jobs";
            }
            case ListWorkers c -> {
                out.field("limit", c.limit()).optional("after", c.after());
                yield "list-workers";
            }
            case ListLeases c -> {
                out.field("worker_id", c.worker()).field("limit", c.limit());
                yield "list-leases";
            }
            case ListTenants c -> {
                out.field("limit", c.limit()).optional("after", c.after());
                yield "list-tenants";
            }
            case GetTenant c -> {
                out.field("tenant_id", c.tenant());
                yield "get-tenant";
            }
            case BeginBulk c -> {
                out.field("operation", c.operation())
                        .field("action", c.action().wire())
                        .fieldRaw("filter", c.filter().write());
                yield "begin-bulk";
            }
            case GetBulk c -> {
                out.field("operation", c.operation());
                yield "get-bulk";
            }
            case StopBulk c -> {
                out.field("operation", c.operation());
                yield "stop-bulk";
            }
            case Maintain c -> {
                out.field("enabled", c.enabled()).optional("reason", c.reason()).optional("until", c.until());
                yield "maintain";
            }
        };
        return new Encoded(op, out.endObject().toBytes());
    }

    static AdminCommand decode(String op, JsonFields in) throws UnreadableCommand, MalformedJson {
        return switch (op) {
            case "list-jobs" ->
                new ListJobs(
                        JobFilter.read(in.fields("filter")),
                        in.flag("oldest_first"),
                        in.count("limit", ListJobs.MAX_LIMIT),
                        in.node("after") == null ? null : in.job("after"));
            case "list-workers" -> new ListWorkers(in.count("limit", ListWorkers.MAX_LIMIT), in.optionalText("after"));
            case "list-tenants" -> new ListTenants(in.count("limit", ListTenants.MAX_LIMIT), in.optionalText("after"));
            case "get-tenant" -> new GetTenant(in.text("tenant_id"));
            case "begin-bulk" ->
                new BeginBulk(
                        in.text("operation"), BulkAction.read(in.text("action")), JobFilter.read(in.fields("filter")));
            case "get-bulk" -> new GetBulk(in.text("operation"));
            case "stop-bulk" -> new StopBulk(in.text("operation"));
            case "maintain" -> new Maintain(in.flag("enabled"), in.optionalText("reason"), JobFilter.time(in, "until"));
            case "list-leases" -> new ListLeases(in.text("worker_id"), in.count("limit", ListLeases.MAX_LIMIT));
            default ->
                throw new UnreadableCommand("There is no command '%s'.".formatted(Limits.cut(op, Limits.OP_BYTES)));
        };
    }

    static void check(AdminCommand command) throws UnreadableCommand {
        switch (command) {
            case ListJobs c -> check(c.filter());
            case ListWorkers c -> Limits.name("after", c.after());
            case ListLeases c -> Limits.name("worker_id", c.worker());
            case ListTenants c -> Limits.name("after", c.after());
            case GetTenant c -> Limits.name("tenant_id", c.tenant());
            case BeginBulk c -> {
                Limits.name("operation", c.operation());
                check(c.filter());
            }
            case GetBulk c -> Limits.name("operation", c.operation());
            case StopBulk c -> Limits.name("operation", c.operation());
            case Maintain c -> Limits.name("reason", c.reason());
        }
    }

    private static void check(JobFilter filter) throws UnreadableCommand {
        Limits.name("queue", filter.queue());
        Limits.name("type", filter.type());
        Limits.name("tenant", filter.tenant());
        Limits.name("error_type", filter.errorType());
    }
}
