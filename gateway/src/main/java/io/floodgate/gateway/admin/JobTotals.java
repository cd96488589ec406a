package io.floodgate.gateway.admin;

import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.JobFilter;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The total of a list of jobs, as far as it is known without looking at each: by the figures of their queues. */
record JobTotals(StatusTable table) {
    /** Returns the total as the partitions have last published it; empty when only a search could find it. */
    OptionalLong of(JobFilter filter) {
        boolean searched = filter.type() != null
                || filter.errorType() != null
                || filter.since() != null
                || filter.until() != null
                || filter.priority() != null
                || filter.tenant() != null;
        if (searched) return OptionalLong.empty();
        String queue = filter.queue();
        return OptionalLong.of(Stream.of(JobState.values())
                .filter(filter::admits)
                .mapToLong(state -> queue == null ? table.sum(state.wire()) : table.number(queue, state.wire()))
                .sum());
    }
}
