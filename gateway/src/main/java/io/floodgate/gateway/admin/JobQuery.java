package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Paging;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.job.Tenant;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The selection and order of a list of jobs (OJS admin §7.1).
 *
 * @param after the cursor of the page before
 */
public record JobQuery(
        JobFilter filter,
        JobSort sort,
        boolean ascending,
        @Nullable JobId after) {
    public JobQuery(JobFilter filter, boolean oldestFirst, @Nullable JobId after) {
        this(filter, JobSort.CREATED_AT, oldestFirst, after);
    }

    static JobQuery of(Call call, Instant now) throws RejectedException {
        return of(call, Tenant.of(call).map(Tenant::id).orElse(null), now);
    }

    static JobQuery of(Call call, @Nullable String tenant, Instant now) throws RejectedException {
        JobSort sort = JobSort.of(call);
        String order = call.query("order").orElse("desc");
        if (!order.equals("asc") && !order.equals("desc"))
            throw RequestFields.wrong("order", "The query parameter 'order' must be asc or desc.");
        String cursor = Paging.ownCursor(call).orElse(null);
        JobId after = cursor == null ? null : JobId.parse(cursor).orElseThrow(Paging::wrongCursor);
        if (after != null && sort != JobSort.CREATED_AT)
            throw RequestFields.wrong("cursor", "Only lists in the order of created_at have a cursor: use 'page'.");
        String queue = queue(call.query("queue").orElse(null), "queue");
        call.caller().mustUseAny(queue);
        JobFilter filter = JobFilter.of()
                .inQueue(queue)
                .inStates(states(call.query("state").orElse("")))
                .ofType(type(call.query("type").orElse(null), "type"))
                .failedWith(type(call.query("error_type").orElse(null), "error_type"))
                .takenIn(time(call, "since", now), time(call, "until", now))
                .ofTenant(tenant);
        return new JobQuery(filter, sort, order.equals("asc"), after);
    }

    static @Nullable String queue(@Nullable String name, String field) throws RejectedException {
        if (name == null || EnvelopeReader.isQueueName(name)) return name;
        throw RequestFields.wrong(field, "'%s' cannot be the name of a queue.".formatted(Limits.echo(name)));
    }

    static @Nullable String type(@Nullable String type, String field) throws RejectedException {
        if (type == null || type.length() <= Limits.NAME_CHARS) return type;
        throw RequestFields.wrong(field, "A type may have at most %d characters.".formatted(Limits.NAME_CHARS));
    }

    private static @Nullable Instant time(Call call, String name, Instant now) throws RejectedException {
        String text = call.query(name).orElse(null);
        return text == null ? null : time(text, name, now);
    }

    /** A time, or how long ago it was. */
    static Instant time(String text, String field, Instant now) throws RejectedException {
        // A plus sign that was not escaped in a query has become a blank.
        return Timestamps.parse(text.replace(' ', '+'))
                .or(() -> Durations.parse(text).map(now::minus))
                .orElseThrow(() -> RequestFields.wrong(
                        field,
                        "'%s' must be an RFC 3339 time, such as 2026-02-13T11:00:00Z, or how long ago that was, such as 7d."
                                .formatted(field)));
    }

    /** One, or several by commas. */
    private static Set<JobState> states(String text) throws RejectedException {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        if (text.equals("all")) return states;
        for (String name : text.split(",", -1)) if (!name.isBlank()) states.add(state(name.strip(), "state"));
        return states;
    }

    static JobState state(String name, String field) throws RejectedException {
        return JobState.parse(name)
                .orElseThrow(
                        () -> RequestFields.wrong(field, "There is no job state '%s'.".formatted(Limits.echo(name))));
    }
}
