package io.floodgate.gateway.admin;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of all logs in the order of their ids: the logs are asked for a slice each, and what lies beyond the shortest of
 * these is asked for again. So the cursor is one id, which any gateway can go on from.
 *
 * <pre>
 *   log 0   ●──●─────●──▏
 *   log 1   ──●───●─────────●──▏     up to ▏of log 0 nothing is missing: the next slice begins there
 * </pre>
 */
public record JobPages(Partitions partitions) {
    /** The most slices that are searched for one page: a page that finds little is short, and has a cursor. */
    private static final int MOST_SLICES = 100;

    /** Longest time of a search: searches take turns, and others wait. */
    private static final Duration MAX_TIME = Duration.ofSeconds(5);

    /** @param next where the next page begins, behind this id; null when there is none */
    public record Page(List<byte[]> jobs, @Nullable JobId next) {}

    /** Jobs from a partition, and the id at which it has stopped. */
    private record Slice(List<Found> jobs, @Nullable JobId end) {}

    private record Found(JobId id, byte[] json) {}

    /** @param skip the number of jobs that are skipped first */
    public Page find(Call call, JobQuery query, int skip, int limit) throws CommandFailed, RejectedException {
        List<byte[]> page = new ArrayList<>();
        JobId after = query.after();
        int left = skip;
        long began = System.nanoTime();
        // What is passed over first has to be, or the page would be another one.
        for (int slices = 0;
                slices < MOST_SLICES && (left > 0 || System.nanoTime() - began < MAX_TIME.toNanos());
                slices++) {
            Slice slice = slice(call, query, after, left + limit - page.size());
            for (Found job : slice.jobs) {
                if (left > 0) left--;
                else if (page.size() == limit) return new Page(page, after);
                else page.add(job.json);
                after = job.id;
            }
            if (slice.end == null) return new Page(page, null);
            after = slice.end;
            if (page.size() == limit) break;
        }
        return new Page(page, after);
    }

    private Slice slice(Call call, JobQuery query, @Nullable JobId after, int wanted)
            throws CommandFailed, RejectedException {
        // One more shows whether there is another page.
        ListJobs command =
                new ListJobs(query.filter(), query.ascending(), Math.min(wanted + 1, ListJobs.MAX_LIMIT), after);
        List<CompletableFuture<Reply>> replies =
                partitions.from(call).send(partitions.of(query.filter().queue()), "jobs", command);
        List<Slice> slices = new ArrayList<>();
        for (CompletableFuture<Reply> reply : replies) slices.add(read(call, Replies.await(reply)));
        return merge(slices, query.ascending() ? Comparator.naturalOrder() : Comparator.reverseOrder());
    }

    private static Slice read(Call call, Reply reply) throws RejectedException {
        List<byte[]> lines = Partitions.lines(reply);
        call.makeRoom(lines);
        List<Found> jobs = new ArrayList<>();
        for (byte[] line : lines.subList(1, lines.size()))
            jobs.add(new Found(id(line, "id").orElseThrow(), line));
        return new Slice(jobs, id(lines.getFirst(), "next").orElse(null));
    }

    private static Optional<JobId> id(byte[] line, String name) {
        return MemberWalk.text(line, name).flatMap(JobId::parse);
    }

    private static Slice merge(List<Slice> slices, Comparator<JobId> order) {
        JobId end = slices.stream()
                .map(Slice::end)
                .filter(Objects::nonNull)
                .min(order)
                .orElse(null);
        List<Found> jobs = slices.stream()
                .flatMap(slice -> slice.jobs.stream())
                .filter(job -> end == null || order.compare(job.id, end) <= 0)
                .sorted(Comparator.comparing(Found::id, order))
                .toList();
        return new Slice(jobs, end);
    }
}
