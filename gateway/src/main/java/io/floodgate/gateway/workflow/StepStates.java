package io.floodgate.gateway.workflow;

import io.floodgate.gateway.http.Partitions;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Replies;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkflowCommand.GetStepJobs;
import io.floodgate.topics.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** The states of a workflow's jobs now: asked of the partitions that have them, all at once. */
public final class StepStates {
    private StepStates() {}

    /** Returns the states of jobs; those of silent partitions are missing. */
    public static Map<JobId, JsonNode> of(Partitions partitions, List<JobId> jobs) {
        Map<PartitionId, List<JobId>> byLog = new LinkedHashMap<>();
        for (JobId job : jobs)
            byLog.computeIfAbsent(partitions.ofJob(job).partition(), log -> new ArrayList<>())
                    .add(job);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        byLog.forEach((log, own) -> {
            for (int from = 0; from < own.size(); from += GetStepJobs.MOST) {
                List<JobId> some = own.subList(from, Math.min(own.size(), from + GetStepJobs.MOST));
                replies.add(partitions.owner(log, some.getFirst().toString()).send(new GetStepJobs(some)));
            }
        });
        Map<JobId, JsonNode> known = new HashMap<>();
        for (CompletableFuture<Reply> reply : replies) {
            try {
                if (Replies.await(reply) instanceof Reply.Done done)
                    done.lines().forEach(line -> add(line, known));
            } catch (CommandFailed silent) {
                // The steps say so.
            }
        }
        return known;
    }

    private static void add(byte[] line, Map<JobId, JsonNode> known) {
        JsonNode job = Json.tree(line);
        JobId.parse(job.path("id").asString("")).ifPresent(id -> known.put(id, job));
    }
}
