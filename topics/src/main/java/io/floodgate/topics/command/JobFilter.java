package io.floodgate.topics.command;

import io.floodgate.topics.JobState;
import io.floodgate.topics.json.Wire;
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
        @Wire.OrEmpty Set<JobState> states,
        @Nullable String type,
        @Wire.Rfc3339 @Nullable Instant since,
        @Wire.Rfc3339 @Nullable Instant until,

        @Wire.Least(Integer.MIN_VALUE) @Wire.Capped(1_000) @Nullable
        Integer priority,

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
        return RecordForm.of(JobFilter.class).toBytes(this);
    }
}
