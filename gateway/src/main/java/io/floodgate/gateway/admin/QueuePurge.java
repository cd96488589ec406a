package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import java.util.EnumSet;
import java.util.Set;

/**
 * Removes the jobs of a queue that are in certain states (OJS admin §6.5), without a trace: a bulk operation in the partition that
 * has them. Nothing is guessed: states have to be named.
 */
public record QueuePurge(BulkOperations bulk) {
    private static final Set<String> KNOWN = Set.of("dry_run", "states", "older_than", "confirm");

    /** Purges a queue for dashboards, which have to confirm it. */
    public ApiResponse confirmed(Call call) throws CommandFailed, RejectedException {
        RequestFields body = call.json();
        BulkOperations.confirm(body);
        return purge(call, body);
    }

    /** Purges a queue for the command-line tool. */
    public ApiResponse open(Call call) throws CommandFailed, RejectedException {
        return purge(call, call.json());
    }

    private ApiResponse purge(Call call, RequestFields body) throws CommandFailed, RejectedException {
        body.only(KNOWN);
        JobFilter filter = JobFilter.of()
                .inQueue(queue(call))
                .inStates(states(body))
                .ofTenant(Tenant.of(call).map(Tenant::id).orElse(null));
        if (body.has("older_than")) filter = filter.takenIn(null, bulk.time(body.requiredText("older_than")));
        return bulk.purge(call, body, filter);
    }

    private static String queue(Call call) throws RejectedException {
        String name = call.parameter("name");
        if (EnvelopeReader.isQueueName(name)) return name;
        throw new RejectedException(Rejection.of(
                        ErrorCode.INVALID_QUEUE, "'%s' cannot be the name of a queue.".formatted(Limits.echo(name)))
                .with("field", "name"));
    }

    private static Set<JobState> states(RequestFields body) throws RejectedException {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        if (body.has("states") && body.isArray("states"))
            for (String state : body.texts("states")) states.add(JobQuery.state(state, "states"));
        if (states.isEmpty())
            throw RequestFields.wrong(
                    "states", "Say which jobs are to be purged: 'states' must name at least one state.");
        return states;
    }
}
