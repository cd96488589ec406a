package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.LogId;
import io.floodgate.topics.command.LogCommand.Extend;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
        Members state = one(Replies.await(alive));
        return new Outcome(required(state, "state"), extended.directive, extended.jobs, required(state, "server_time"));
    }

    private void extend(Map<LogId, List<JobId>> byLog, String worker, @Nullable Duration visibility, Extended result)
            throws CommandFailed, RefusedException {
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        byLog.forEach((log, ids) ->
                replies.add(client.send(log, "worker:" + worker, new Extend(worker, ids, visibility), patience)));
        for (CompletableFuture<Reply> reply : replies) result.add(one(Replies.await(reply)));
    }

    private static Members one(Reply reply) throws CommandFailed, RefusedException {
        return switch (reply) {
            case Reply.Done done -> {
                try {
                    yield Members.of(done.body());
                } catch (MalformedJson malformed) {
                    throw unreadable(malformed);
                }
            }
            case Reply.Refused refused -> throw new RefusedException(refused.refusal());
        };
    }

    private static String required(Members reply, String name) throws NoReply {
        String text = reply.text(name);
        if (text == null) throw new NoReply("the log's answer lacks '%s'".formatted(name));
        return text;
    }

    private static NoReply unreadable(MalformedJson malformed) {
        return new NoReply("the log's answer cannot be read: " + malformed.getMessage(), malformed);
    }

    /** What the logs answer, put together. */
    private final class Extended {
        private final List<String> jobs = new ArrayList<>();
        private final Map<LogId, List<JobId>> elsewhere = new LinkedHashMap<>();
        private @Nullable String directive;

        void add(Members reply) throws NoReply {
            List<String> prolonged = reply.texts("extended");
            if (prolonged != null) jobs.addAll(prolonged);
            try {
                for (Members moved : reply.objects("elsewhere"))
                    JobId.parse(required(moved, "job_id")).ifPresent(elsewhere(required(moved, "queue"))::add);
            } catch (MalformedJson malformed) {
                throw unreadable(malformed);
            }
            String wanted = reply.text("directive");
            if (rank(wanted) > rank(directive)) directive = wanted;
        }

        private List<JobId> elsewhere(String queue) {
            return elsewhere.computeIfAbsent(client.routing().ofQueue(queue), l -> new ArrayList<>());
        }

        private static int rank(@Nullable String state) {
            return state == null ? -1 : STATES.indexOf(state);
        }
    }
}
