package io.floodgate.processor.queue.admin;

import io.floodgate.processor.queue.job.Jobs;
import io.floodgate.processor.queue.job.Payloads;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobId;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.JobFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs by what is said of them, in the order of their ids. Unfinished and finished ones lie apart; of each it looks at
 * a bounded number, and says how far it has come.
 */
public record JobSearch(KeyValues stored, Payloads payloads) {
    /** Jobs looked at in one slice, of each kind: all other commands of the partition wait meanwhile. */
    static final int MOST_VISITED = 200;

    /** Most bytes that are read in a slice, also to find out to which tenant a job belongs, or how it has failed. */
    private static final long MOST_BYTES = 2 * 1024 * 1024;

    /**
     * A slice of what was searched for.
     *
     * @param next where the next one begins, behind this id; null when there is none
     */
    record Slice(List<JobRecord> jobs, @Nullable JobId next) {}

    /** @param after the slice before ended here; null for the first one */
    Slice slice(JobFilter filter, boolean oldestFirst, @Nullable JobId after, int limit) {
        Search search = new Search(filter, oldestFirst, after, limit);
        List<Part> parts = new ArrayList<>();
        if (admitsAny(filter, false)) parts.add(search.part(Keys.allLive()));
        if (admitsAny(filter, true)) parts.add(search.part(Keys.allTerminal()));
        return search.merge(parts);
    }

    private static boolean admitsAny(JobFilter filter, boolean terminal) {
        return Stream.of(JobState.values()).anyMatch(state -> state.isTerminal() == terminal && filter.admits(state));
    }

    /** Returns whether the job is one of those that are meant, and to be seen at all. */
    boolean matches(JobRecord job, JobFilter filter) {
        return matchesButErrors(job, filter)
                && (filter.errorType() == null || filter.errorType().equals(payloads.lastErrorType(job)));
    }

    private boolean matchesButErrors(JobRecord job, JobFilter filter) {
        return !job.reserved
                && filter.admits(job.state)
                && (filter.queue() == null || filter.queue().equals(job.queue))
                && (filter.priority() == null || filter.priority() == job.priority)
                && filter.admitsType(job.type)
                && filter.admitsTime(job.createdAt)
                && (filter.tenant() == null || filter.tenant().equals(payloads.tenant(job)));
    }

    /** Jobs of one kind that were found, and the id at which the search has stopped before the last of them. */
    private record Part(List<JobRecord> found, @Nullable JobId stopped) {}

    private final class Search {
        private final JobFilter filter;
        private final boolean oldestFirst;
        private final @Nullable JobId after;
        private final int limit;
        private final Comparator<JobId> order;

        Search(JobFilter filter, boolean oldestFirst, @Nullable JobId after, int limit) {
            this.filter = filter;
            this.oldestFirst = oldestFirst;
            this.after = after;
            this.limit = limit;
            order = oldestFirst ? Comparator.naturalOrder() : Comparator.reverseOrder();
        }

        Part part(byte[] prefix) {
            List<JobRecord> found = new ArrayList<>();
            JobId[] stopped = {null};
            long[] visited = {0, 0};
            BiPredicate<byte[], byte[]> visitor = (key, value) -> {
                JobId id = Keys.jobAtEnd(key);
                JobRecord job = Jobs.readable(id, value);
                visited[1] += value.length;
                if (job != null && filter.tenant() != null) visited[1] += job.sizeBytes;
                if (job != null && filter.errorType() != null && matchesButErrors(job, filter))
                    visited[1] += payloads.errorBytes(job);
                if (job != null && matches(job, filter)) found.add(job);
                boolean enough = ++visited[0] >= MOST_VISITED || visited[1] >= MOST_BYTES || found.size() > limit;
                if (enough) stopped[0] = id;
                return !enough;
            };
            if (oldestFirst) stored.scan(after == null ? prefix : behind(prefix, after), Keys.after(prefix), visitor);
            else stored.scanBack(prefix, after == null ? Keys.after(prefix) : Keys.of(prefix, after), visitor);
            return new Part(found, stopped[0]);
        }

        private static byte[] behind(byte[] prefix, JobId id) {
            byte[] key = Keys.of(prefix, id);
            return Arrays.copyOf(key, key.length + 1);
        }

        /**
         * Merges the parts up to the id at which the first one has stopped. Jobs beyond it come with the next slice.
         */
        Slice merge(List<Part> parts) {
            JobId end = parts.stream()
                    .flatMap(part -> Stream.ofNullable(part.stopped))
                    .min(order)
                    .orElse(null);
            List<JobRecord> jobs = parts.stream()
                    .flatMap(part -> part.found.stream())
                    .filter(job -> end == null || order.compare(job.id, end) <= 0)
                    .sorted(Comparator.comparing((JobRecord job) -> job.id, order))
                    .toList();
            if (jobs.size() <= limit) return new Slice(jobs, end);
            return new Slice(jobs.subList(0, limit), jobs.get(limit - 1).id);
        }
    }
}
