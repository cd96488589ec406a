package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand.BulkAction;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a bulk operation: those of a list, or those that a filter selects (OJS bulk operations §6, admin §8). In
 * operations that remove or repeat work nothing is ignored: an unknown criterion is rejected.
 *
 * @param ids null if there is a filter
 */
record BulkBody(@Nullable List<JobId> ids, JobFilter filter) {
    /** Ids in one request. */
    static final int MOST = 1_000;

    private static final List<String> IDS = List.of("ids", "job_ids", "jobs");
    private static final Set<String> KNOWN =
            Set.of("ids", "job_ids", "jobs", "filter", "atomicity", "confirm", "dry_run", "reason", "idempotency_key");
    private static final Set<String> CRITERIA = Set.of(
            "queue",
            "state",
            "states",
            "type",
            "error_type",
            "since",
            "until",
            "enqueued_after",
            "enqueued_before",
            "older_than",
            "priority");

    /** @param mayBeAll whether an empty filter means all jobs that the action is for */
    static BulkBody read(RequestFields body, BulkAction action, Optional<Tenant> tenant, Instant now, boolean mayBeAll)
            throws RejectedException {
        body.only(KNOWN);
        String atomicity = body.text("atomicity", Limits.NAME_CHARS);
        if (atomicity != null && !atomicity.equals("partial"))
            throw new RejectedException(Rejection.of(
                            ErrorCode.UNSUPPORTED,
                            "Jobs are cancelled, retried and deleted one by one: 'atomicity' can only be partial.")
                    .with("field", "atomicity"));
        List<String> lists = IDS.stream().filter(body::has).toList();
        boolean filtered = body.has("filter");
        if (lists.size() + (filtered ? 1 : 0) != 1)
            throw RequestFields.wrong("job_ids", "Say which jobs are meant: by 'job_ids' or by a 'filter'.");
        if (!filtered) return new BulkBody(ids(body, lists.getFirst()), JobFilter.of());
        JobFilter filter = filter(body.object("filter"), now);
        if (!mayBeAll && filter.equals(JobFilter.of()))
            throw RequestFields.wrong("filter", "The 'filter' must name something, such as a queue or a state.");
        if (filter.states().isEmpty()) filter = filter.inStates(usual(action));
        return new BulkBody(null, filter.ofTenant(tenant.map(Tenant::id).orElse(null)));
    }

    /** Returns the states that the action is for, where the body names none. */
    private static Set<JobState> usual(BulkAction action) {
        return switch (action) {
            case CANCEL -> EnumSet.of(JobState.SCHEDULED, JobState.AVAILABLE, JobState.PENDING, JobState.RETRYABLE);
            case RETRY -> EnumSet.of(JobState.DISCARDED);
            case DELETE, PURGE -> EnumSet.of(JobState.COMPLETED, JobState.CANCELLED, JobState.DISCARDED);
        };
    }

    private static List<JobId> ids(RequestFields body, String name) throws RejectedException {
        Set<String> named = new LinkedHashSet<>(body.texts(name));
        if (named.size() > MOST)
            throw new RejectedException(Rejection.of(
                            ErrorCode.BATCH_SIZE_EXCEEDED,
                            "%d jobs are named; at most %d can be at once.".formatted(named.size(), MOST))
                    .with("max_batch_size", MOST));
        if (named.isEmpty()) throw RequestFields.wrong(name, "The list '%s' must not be empty.".formatted(name));
        List<JobId> ids = new ArrayList<>();
        for (String id : named)
            ids.add(JobId.parse(id)
                    .orElseThrow(() -> RequestFields.wrong(name, "'%s' is no job id.".formatted(Limits.echo(id)))));
        return ids;
    }

    private static JobFilter filter(RequestFields filter, Instant now) throws RejectedException {
        for (String name : filter.names())
            if (!CRITERIA.contains(name) && filter.has(name)) throw filter.unknown(name, CRITERIA);
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String name : List.of("state", "states")) {
            if (filter.isArray(name))
                for (String state : filter.texts(name)) states.add(JobQuery.state(state, filter.path(name)));
            else if (filter.has(name)) states.add(JobQuery.state(filter.requiredText(name), filter.path(name)));
        }
        Long priority = filter.number("priority").orElse(null);
        return JobFilter.of()
                .inQueue(JobQuery.queue(filter.text("queue"), filter.path("queue")))
                .inStates(states)
                .ofType(JobQuery.type(filter.text("type"), filter.path("type")))
                .failedWith(JobQuery.type(filter.text("error_type"), filter.path("error_type")))
                .takenIn(
                        time(filter, now, "since", "enqueued_after"),
                        time(filter, now, "until", "enqueued_before", "older_than"))
                .withPriority(priority == null ? null : (Integer) Math.toIntExact(Math.clamp(priority, -1_000, 1_000)));
    }

    private static @Nullable Instant time(RequestFields filter, Instant now, String... names) throws RejectedException {
        for (String name : names)
            if (filter.has(name)) return JobQuery.time(filter.requiredText(name), filter.path(name), now);
        return null;
    }
}
