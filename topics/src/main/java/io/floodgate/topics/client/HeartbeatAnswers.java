package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.Members;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Merges the answers of partitions to a heartbeat. One that fails leaves out its own part, and nothing else. */
final class HeartbeatAnswers {
    private static final String RUNNING = "running";
    private static final List<String> STATES = List.of(RUNNING, "quiet", "terminate");

    private final Routing routing;
    private final Set<String> extended = new LinkedHashSet<>();
    private final Set<String> lost = new LinkedHashSet<>();
    private final Set<String> cancelled = new LinkedHashSet<>();
    private final Set<PartitionId> silent = new LinkedHashSet<>();
    private final List<PartitionId> logsWithLeases = new ArrayList<>();
    private Map<PartitionId, List<JobId>> elsewhere = new LinkedHashMap<>();
    private String state = RUNNING;
    private @Nullable String directive;
    private @Nullable String serverTime;
    private @Nullable Exception failure;

    HeartbeatAnswers(Routing routing) {
        this.routing = routing;
    }

    void addRegistry(PartitionId log, CompletableFuture<Reply> reply) throws RejectedException {
        Members answer = answer(log, reply);
        if (answer == null) return;
        String told = answer.text("state");
        if (told == null) {
            failed(log, new NoReply("the partition's answer lacks 'state'"));
            return;
        }
        state = told;
        serverTime = answer.text("server_time");
        List<String> logs = answer.texts("logs");
        if (logs != null) logs.forEach(this::addLog);
    }

    private void addLog(String name) {
        try {
            PartitionId log = PartitionId.parse(name);
            if (routing.has(log)) logsWithLeases.add(log);
        } catch (IllegalArgumentException unknown) {
            // Some later version may know what this is: what it is for, it gets by its own rules.
        }
    }

    void add(PartitionId log, List<JobId> asked, CompletableFuture<Reply> reply) throws RejectedException {
        Members answer = answer(log, reply);
        if (answer == null) return;
        Set<String> settled = new LinkedHashSet<>(texts(answer, "extended"));
        try {
            for (Members moved : answer.objects("elsewhere")) settled.add(addElsewhere(moved));
        } catch (MalformedJson malformed) {
            failed(log, new NoReply("the partition's answer cannot be read", malformed));
            return;
        }
        extended.addAll(texts(answer, "extended"));
        serverTime = answer.text("server_time");
        cancelled.addAll(texts(answer, "cancelled"));
        for (JobId job : asked) if (!settled.contains(job.toString())) lost.add(job.toString());
        String wanted = answer.text("directive");
        if (rank(wanted) > rank(directive)) directive = wanted;
    }

    private String addElsewhere(Members moved) {
        String id = moved.text("job_id");
        String queue = moved.text("queue");
        if (id == null || queue == null) return "";
        JobId.parse(id)
                .ifPresent(job -> elsewhere
                        .computeIfAbsent(routing.ofQueue(queue), l -> new ArrayList<>())
                        .add(job));
        return id;
    }

    private @Nullable Members answer(PartitionId log, CompletableFuture<Reply> reply) throws RejectedException {
        try {
            switch (Replies.await(reply)) {
                case Reply.Done done -> {
                    Members answer = Members.of(done.body());
                    if (answer.text("server_time") == null)
                        throw new NoReply("the partition's answer lacks 'server_time'");
                    return answer;
                }
                case Reply.Rejected rejected -> {
                    RejectedException rejection = new RejectedException(rejected.rejection());
                    if (!rejected.rejection().code().mayPass()) throw rejection;
                    failed(log, rejection);
                }
            }
        } catch (CommandFailed failed) {
            failed(log, failed);
        } catch (MalformedJson malformed) {
            failed(log, new NoReply("the partition's answer cannot be read", malformed));
        }
        return null;
    }

    private void failed(PartitionId log, Exception why) {
        silent.add(log);
        failure = why;
    }

    /** Logs where the worker has leases, as its registry says. */
    List<PartitionId> logsWithLeases() {
        return logsWithLeases;
    }

    /** Jobs that have yet to be looked for in these partitions, instead of those that their ids name. */
    Map<PartitionId, List<JobId>> takeElsewhere() {
        Map<PartitionId, List<JobId>> taken = elsewhere;
        taken.values().forEach(jobs -> jobs.removeIf(job -> extended.contains(job.toString())));
        taken.values().removeIf(List::isEmpty);
        elsewhere = new LinkedHashMap<>();
        return taken;
    }

    Heartbeats.Outcome outcome() throws CommandFailed, RejectedException {
        if (serverTime == null) throw noAnswer();
        lost.removeAll(extended);
        return new Heartbeats.Outcome(
                state,
                directive,
                List.copyOf(extended),
                List.copyOf(lost),
                List.copyOf(cancelled),
                List.copyOf(silent),
                serverTime);
    }

    private CommandFailed noAnswer() throws RejectedException {
        if (failure instanceof RejectedException rejected) throw rejected;
        return failure instanceof CommandFailed failed ? failed : new NoReply("no partition answered");
    }

    private static List<String> texts(Members answer, String name) {
        List<String> texts = answer.texts(name);
        return texts == null ? List.of() : texts;
    }

    private static int rank(@Nullable String state) {
        return state == null ? -1 : STATES.indexOf(state);
    }
}
