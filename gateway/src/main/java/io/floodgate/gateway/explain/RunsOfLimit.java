package io.floodgate.gateway.explain;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobState;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.AdminCommand.ListJobs;
import io.floodgate.topics.command.JobFilter;
import io.floodgate.topics.command.Reply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The runs that a rate limit counts, those that have run longest first.
 *
 * @param all whether none of them can be missing
 */
record RunsOfLimit(List<Facts> longest, boolean all) {
    static final RunsOfLimit NOT_LOOKED_FOR = new RunsOfLimit(List.of(), true);
    static final int MAX_SHOWN = 10;

    /** Of the oldest jobs that run in a partition: a run that hangs is among them. */
    private static final int LOOKED_AT = 500;

    static RunsOfLimit find(String key, Partitions partitions) {
        ListJobs command = new ListJobs(JobFilter.of(JobState.ACTIVE), true, LOOKED_AT, null);
        List<CompletableFuture<Reply>> replies = partitions.sendAll("jobs", command);
        List<Facts> runs = new ArrayList<>();
        boolean all = true;
        for (CompletableFuture<Reply> reply : replies) {
            try {
                List<byte[]> lines = Partitions.await(reply);
                if (Facts.of(lines.getFirst()).has("next")) all = false;
                for (byte[] line : lines.subList(1, lines.size())) {
                    Facts job = Facts.of(line);
                    if (key.equals(job.text("rate_limit_key"))) runs.add(job);
                }
            } catch (CommandFailed | RejectedException silent) {
                all = false;
            }
        }
        runs.sort(Comparator.comparing(RunsOfLimit::started));
        return new RunsOfLimit(runs.subList(0, Math.min(MAX_SHOWN, runs.size())), all);
    }

    private static Instant started(Facts job) {
        Instant started = job.time("started_at");
        return started == null ? Instant.MAX : started;
    }
}
