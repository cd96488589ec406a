package io.floodgate.topics.command;

import io.floodgate.topics.JobState;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Timestamps;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are meant: those of which everything holds that is said.
 *
 * @param states none for any
 * @param type a job type, or the beginning of one and {@code *}
 * @param since taken in then or later
 * @param until taken in before
 * @param errorType of the last run that failed
 */
public record JobFilter(
        @Nullable String queue,
        Set<JobState> states,
        @Nullable String type,
        @Nullable Instant since,
        @Nullable Instant until,
        @Nullable Integer priority,
        @Nullable String tenant,
        @Nullable String errorType) {
    private static final String ANY = "*";

    public JobFilter {
        EnumSet<JobState> ordered = EnumSet.noneOf(JobState.class);
        ordered.addAll(states);
        states = Collections.unmodifiableSet(ordered);
    }

    /** All jobs in one of these states; any job if there are none. */
    public static JobFilter of(JobState... states) {
        return new JobFilter(null, Set.of(states), null, null, null, null, null, null);
    }

    public JobFilter inQueue(@Nullable String name) {
        return new JobFilter(name, states, type, since, until, priority, tenant, errorType);
    }

    public JobFilter inStates(Set<JobState> wanted) {
        return new JobFilter(queue, wanted, type, since, until, priority, tenant, errorType);
    }

    public JobFilter ofType(@Nullable String wanted) {
        return new JobFilter(queue, states, wanted, since, until, priority, tenant, errorType);
    }

    public JobFilter takenIn(@Nullable Instant from, @Nullable Instant to) {
        return new JobFilter(queue, states, type, from, to, priority, tenant, errorType);
    }

    public JobFilter withPriority(@Nullable Integer wanted) {
        return new JobFilter(queue, states, type, since, until, wanted, tenant, errorType);
    }

    public JobFilter ofTenant(@Nullable String wanted) {
        return new JobFilter(queue, states, type, since, until, priority, wanted, errorType);
    }

    public JobFilter failedWith(@Nullable String wanted) {
        return new JobFilter(queue, states, type, since, until, priority, tenant, wanted);
    }

    public boolean admits(JobState state) {
        return states.isEmpty() || states.contains(state);
    }

    public boolean admitsType(String other) {
        if (type == null) return true;
        return type.endsWith(ANY) ? other.startsWith(type.substring(0, type.length() - 1)) : other.equals(type);
    }

    public boolean admitsTime(Instant createdAt) {
        return (since == null || !createdAt.isBefore(since)) && (until == null || createdAt.isBefore(until));
    }

    public byte[] write() {
        JsonOut out = new JsonOut().beginObject().optional("queue", queue);
        if (!states.isEmpty())
            out.field("states", states.stream().map(JobState::wire).toList());
        return out.optional("type", type)
                .optional("since", since)
                .optional("until", until)
                .optional("priority", priority == null ? null : (Long) priority.longValue())
                .optional("tenant", tenant)
                .optional("error_type", errorType)
                .endObject()
                .toBytes();
    }

    public static JobFilter read(byte[] json) throws UnreadableCommand, MalformedJson {
        return read(JsonFields.of(json));
    }

    static JobFilter read(JsonFields in) throws UnreadableCommand {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        if (in.node("states") != null)
            for (String name : in.texts("states"))
                states.add(JobState.parse(name)
                        .orElseThrow(
                                () -> new UnreadableCommand("There is no state '%s'.".formatted(Limits.echo(name)))));
        Long priority = in.optionalNumber("priority");
        return new JobFilter(
                in.optionalText("queue"),
                states,
                in.optionalText("type"),
                time(in, "since"),
                time(in, "until"),
                priority == null ? null : (Integer) Math.toIntExact(Math.clamp(priority, -1_000, 1_000)),
                in.optionalText("tenant"),
                in.optionalText("error_type"));
    }

    static @Nullable Instant time(JsonFields in, String name) throws UnreadableCommand {
        String text = in.optionalText(name);
        if (text == null) return null;
        return Timestamps.parse(text)
                .orElseThrow(() -> new UnreadableCommand("'%s' must be an RFC 3339 time.".formatted(name)));
    }
}
