package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.Beat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A worker's heartbeat: a sign of life for its registry entry, and a longer lease for each job in the partition that owns it. */
public final class Heartbeats {
    /**
     * The merged answer to a heartbeat. Jobs of a partition that has not answered are in none of the lists: nothing is
     * known of them.
     *
     * @param state what the worker should do: running, quiet or terminate
     * @param testDirective what jobs with {@code meta.test_directive} ask for, if any; obeyed in test mode only
     * @param extended the jobs that are still this worker's, with a new lease
     * @param lost the jobs that the worker named and does not hold: whatever it does with them counts no more
     * @param cancelled those of the lost ones that were cancelled
     * @param silent logs that did not answer
     */
    public record Outcome(
            String state,
            @Nullable String testDirective,
            List<String> extended,
            List<String> lost,
            List<String> cancelled,
            List<PartitionId> silent,
            String serverTime) {
        public Outcome {
            extended = List.copyOf(extended);
            lost = List.copyOf(lost);
            cancelled = List.copyOf(cancelled);
            silent = List.copyOf(silent);
        }
    }

    private final CommandClient client;
    private final Duration patience;

    public Heartbeats(CommandClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    /**
     * Fails only if no partition has answered, or one rejects for good.
     *
     * @param complete the list names every job that the worker believes it has: partitions then take back jobs that
     *     reached no worker
     */
    public Outcome beat(Beat beat, List<JobId> jobs, @Nullable Duration visibility, boolean complete)
            throws CommandFailed, RejectedException {
        PartitionId registry = client.routing().ofWorker(beat.worker());
        CompletableFuture<Reply> alive = client.send(registry, "worker:" + beat.worker(), beat, patience);
        Map<PartitionId, List<JobId>> byLog = new LinkedHashMap<>();
        for (JobId job : jobs)
            byLog.computeIfAbsent(client.routing().ofJob(job), l -> new ArrayList<>())
                    .add(job);
        HeartbeatAnswers answers = new HeartbeatAnswers(client.routing());
        Extending extending = new Extending(beat.worker(), jobs, visibility, answers);
        extending.extend(byLog, complete);
        answers.addRegistry(registry, alive);
        // Jobs under ids of their producers may live elsewhere than their ids say.
        Map<PartitionId, List<JobId>> moved = answers.takeElsewhere();
        Map<PartitionId, List<JobId>> furtherLogs = new LinkedHashMap<>();
        if (complete) {
            for (PartitionId log : answers.logsWithLeases()) {
                if (byLog.containsKey(log)) continue;
                List<JobId> movedThere = moved.remove(log);
                furtherLogs.put(log, movedThere == null ? List.of() : movedThere);
            }
        }
        extending.extend(furtherLogs, true);
        extending.extend(moved, false);
        return answers.outcome();
    }

    private final class Extending {
        private final String worker;
        private final List<JobId> all;
        private final @Nullable Duration visibility;
        private final HeartbeatAnswers answers;

        Extending(String worker, List<JobId> all, @Nullable Duration visibility, HeartbeatAnswers answers) {
            this.worker = worker;
            this.all = all;
            this.visibility = visibility;
            this.answers = answers;
        }

        /**
         * A complete list names every job to every partition: the partition that knows where one of them lives may not answer, and the
         * one where it does must not take it for one that never arrived.
         */
        void extend(Map<PartitionId, List<JobId>> byLog, boolean complete) throws RejectedException {
            Map<PartitionId, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
            byLog.forEach((log, ids) -> replies.put(
                    log,
                    client.send(
                            log,
                            "worker:" + worker,
                            new Extend(worker, complete ? all : ids, visibility, complete),
                            patience)));
            for (var reply : replies.entrySet())
                answers.add(reply.getKey(), byLog.getOrDefault(reply.getKey(), List.of()), reply.getValue());
        }
    }
}
