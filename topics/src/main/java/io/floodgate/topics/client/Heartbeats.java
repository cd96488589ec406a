package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A worker's heartbeat: a sign of life for its registry entry, and a longer lease for each job in the log that owns it. */
public final class Heartbeats {
    private static final List<String> STATES = List.of("running", "quiet", "terminate");

    /**
     * @param state what the worker should do: running, quiet or terminate
     * @param testDirective what jobs with {@code meta.test_directive} ask for, if any; obeyed in test mode only
     * @param extended the jobs that are still this worker's, with a new lease
     */
    public record Outcome(String state, @Nullable String testDirective, List<String> extended, String serverTime) {}

    private final CommandClient client;
    private final Duration patience;

    public Heartbeats(CommandClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    public Outcome beat(Beat beat, List<JobId> jobs, @Nullable Duration visibility)
            throws CommandFailed, RefusedException {
        LogId registry = client.routing().ofWorker(beat.worker());
        CompletableFuture<Reply> alive = client.send(registry, "worker:" + beat.worker(), beat, patience);
        Map<LogId, List<JobId>> byLog = new LinkedHashMap<>();
        for (JobId job : jobs)
            byLog.computeIfAbsent(client.routing().ofJob(job), l -> new ArrayList<>())
                    .add(job);
        Extended extended = new Extended();
        extend(byLog, beat.worker(), visibility, extended);
        // Jobs under ids of their producers may live elsewhere than their ids say.
        Map<LogId, List<JobId>> moved = new LinkedHashMap<>(extended.elsewhere);
        extended.elsewhere.clear();
        extend(moved, beat.worker(), visibility, extended);
        JsonNode state = one(Replies.await(alive));
        return new Outcome(
                state.get("state").stringValue(),
                extended.directive,
                extended.jobs,
                state.get("server_time").stringValue());
    }

    private void extend(Map<LogId, List<JobId>> byLog, String worker, @Nullable Duration visibility, Extended result)
            throws CommandFailed, RefusedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        byLog.forEach((log, ids) ->
                replies.add(client.send(log, "worker:" + worker, new Extend(worker, ids, visibility), patience)));
        for (CompletableFuture<Reply> reply : replies) result.add(one(Replies.await(reply)));
    }

    private static JsonNode one(Reply reply) throws RefusedException {
        return switch (reply) {
            case Reply.Done done -> Json.tree(done.body());
            case Reply.Refused refused -> throw new RefusedException(refused.refusal());
        };
    }

    /** What the logs answer, put together. */
    private final class Extended {
        private final List<String> jobs = new ArrayList<>();
        private final Map<LogId, List<JobId>> elsewhere = new LinkedHashMap<>();
        private @Nullable String directive;

        void add(JsonNode reply) {
            for (JsonNode id : reply.get("extended")) jobs.add(id.stringValue());
            for (JsonNode moved : reply.get("elsewhere")) {
                LogId log = client.routing().ofQueue(moved.get("queue").stringValue());
                elsewhere
                        .computeIfAbsent(log, l -> new ArrayList<>())
                        .add(JobId.parse(moved.get("job_id").stringValue()).orElseThrow());
            }
            JsonNode wanted = reply.get("directive");
            if (wanted != null && rank(wanted.stringValue()) > rank(directive)) directive = wanted.stringValue();
        }

        private static int rank(@Nullable String state) {
            return state == null ? -1 : STATES.indexOf(state);
        }
    }
}
