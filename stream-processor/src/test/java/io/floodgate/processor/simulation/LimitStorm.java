package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.LimitCommand.EndOverride;
import io.floodgate.topics.command.LimitCommand.OverrideLimit;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** Producers and workers of jobs with rate limits: what they append to the partitions, and what they make of the answers. */
final class LimitStorm {
    private static final List<String> QUEUES = List.of("mail", "pdf", "sms", "a", "b", "c");
    private static final List<String> WORKERS = List.of("w1", "w2", "w3");
    private static final long HOUR = 3_600_000;

    /** Whether queues may be deleted, and their jobs moved: no check finds what is lost on the way. */
    boolean moves = true;

    private final Cluster cluster;
    private final Chance chance;
    private final Map<Long, Consumer<Reply>> waiting = new TreeMap<>();
    private final List<JobId> ids = new ArrayList<>();
    private final Map<Long, PartitionId> fetches = new TreeMap<>();
    private long numbers;

    LimitStorm(Cluster cluster) {
        this.cluster = cluster;
        chance = cluster.chance;
        cluster.listen(answer -> {
            Consumer<Reply> then = waiting.remove(answer.to().correlation());
            if (then != null) then.accept(answer.reply());
        });
        LimitedKeys.OF_QUEUES.forEach((queue, allowance) ->
                ask(logOf(queue), new ConfigureQueue(queue, QueueConfig.of(allowance), Set.of()), reply -> {}));
    }

    /** Something happens. */
    void next() {
        int dice = chance.below(100);
        if (dice < 30) enqueue();
        else if (dice < 75) fetch(cluster.routing.ofQueue(chance.pick(QUEUES)), patience());
        else if (dice < 79) onAnyJob();
        else if (dice < 84) onWorker();
        else if (dice < 87) override();
        else if (dice < 90) withdraw();
        else if (dice < 92) onQueue();
        else if (dice < 94) setClock();
    }

    private void ask(PartitionId log, Command command, Consumer<Reply> then) {
        long number = ++numbers;
        waiting.put(number, then);
        cluster.send(log, command, new ReplyTo(0, "client", number));
    }

    private PartitionId logOf(String queue) {
        return cluster.routing.ofQueue(queue);
    }

    private void enqueue() {
        String queue = chance.pick(QUEUES);
        JobId id = JobId.make(Slot.of(queue), cluster.agenda.now(), chance.bits());
        ids.add(id);
        String json = """
                {"id":"%s","type":"storm.job","args":["%s"],"queue":"%s","priority":%d,\
                "retry":{"max_attempts":3,"initial_interval_ms":%d}%s}""".formatted(
                        id, id, queue, chance.oneOf(0, 0, 0, 1), chance.oneOf(0, 50, 1_000), LimitedKeys.any(chance));
        ask(logOf(queue), new Enqueue(json.getBytes(StandardCharsets.UTF_8), true, Duration.ZERO), reply -> {});
    }

    // ---- workers

    private Duration patience() {
        return chance.oneIn(3) ? Duration.ZERO : Duration.ofMillis(chance.oneOf(1, 20, 500, 5_000));
    }

    private void fetch(PartitionId log, Duration patience) {
        String worker = chance.oneIn(4) ? null : chance.pick(WORKERS);
        Duration visibility = chance.oneIn(2) ? null : Duration.ofMillis(chance.oneOf(10, 300, 2_000));
        Fetch fetch = new Fetch(queuesOf(log), chance.oneOf(1, 2, 5), worker, visibility, patience);
        ask(log, fetch, reply -> {
            if (reply instanceof Reply.Done done) done.lines().forEach(line -> work(log, Json.tree(line)));
        });
        fetches.put(numbers, log);
    }

    private List<String> queuesOf(PartitionId log) {
        List<String> own = new ArrayList<>();
        for (String queue : QUEUES) if (logOf(queue).equals(log)) own.add(queue);
        return own.isEmpty() ? List.of("nobody-uses") : own;
    }

    private void work(PartitionId log, JsonNode job) {
        JobId id = JobId.parse(job.get("id").stringValue()).orElseThrow();
        Claimant claimant = new Claimant(null, (Long) job.get("lease").longValue());
        long later = chance.oneOf(0, 5, 10, 300, 3_000);
        int end = chance.below(12);
        if (end < 6) later(later, log, new Ack(id, claimant, null));
        else if (end < 9) later(later, log, failure(id, claimant, log));
        else if (end < 10) later(later, log, new Cancel(id));
    }

    private void later(long millis, PartitionId log, Command command) {
        cluster.agenda.after(millis, () -> ask(log, command, reply -> {}));
    }

    private Nack failure(JobId id, Claimant claimant, PartitionId log) {
        Instant until =
                chance.oneIn(6) ? Instant.ofEpochMilli(cluster.clocks.of(log) + chance.oneOf(200, 1_500)) : null;
        ErrorReport error =
                new ErrorReport("oops", "oops", "it failed", null, "{}".getBytes(StandardCharsets.UTF_8), until);
        return new Nack(id, claimant, error, chance.oneIn(4), Duration.ofMillis(chance.oneOf(0, 0, 300)));
    }

    private void onWorker() {
        String worker = chance.pick(WORKERS);
        Command command =
                chance.oneIn(6) ? new Leave(worker) : new Beat(worker, "{\"pid\":1}".getBytes(StandardCharsets.UTF_8));
        ask(cluster.routing.ofWorker(worker), command, reply -> {});
    }

    private void withdraw() {
        if (fetches.isEmpty()) return;
        long number = chance.pick(List.copyOf(fetches.keySet()));
        PartitionId log = fetches.remove(number);
        if (log != null) ask(log, new Withdraw("client", List.of(number)), reply -> {});
    }

    // ---- operators

    private void onAnyJob() {
        if (ids.isEmpty()) return;
        JobId id = ids.get(ids.size() - 1 - chance.below(Math.min(ids.size(), 12)));
        Command command = chance.oneIn(3) ? new Cancel(id) : new SetPriority(id, chance.oneOf(0, 1));
        ask(cluster.routing.ofJob(id), command, reply -> {});
    }

    /** A queue without limits of its own: those of a queue that comes again begin again. */
    private void onQueue() {
        String queue = chance.pick(QUEUES);
        boolean deletes = moves && chance.oneIn(3) && !LimitedKeys.OF_QUEUES.containsKey(queue);
        Command command = deletes
                ? new DeleteQueue(queue, Deletion.MOVE, chance.pick(QUEUES))
                : chance.oneIn(3) ? new Pause(queue) : new Resume(queue);
        ask(logOf(queue), command, reply -> {});
    }

    private void override() {
        String key = LimitedKeys.OVERRIDDEN;
        PartitionId home = cluster.routing.ofLimit(key);
        Instant until =
                chance.oneIn(2) ? null : Instant.ofEpochMilli(cluster.clocks.of(home) + chance.oneOf(100, 2_000));
        Allowance allowance = new Allowance((long) chance.below(LimitedKeys.MOST_OVERRIDDEN + 1), null, null);
        ask(home, chance.oneIn(3) ? new EndOverride(key) : new OverrideLimit(key, allowance, until), reply -> {});
    }

    private void setClock() {
        long by = chance.oneOf(-HOUR, HOUR, -20_000L, 20_000L);
        if (chance.oneIn(2)) cluster.stepClock(chance.pick(cluster.logs()), by);
        else cluster.logs().forEach(log -> cluster.stepClock(log, by));
    }

    // ---- the end

    void endAllThatHinders() {
        QUEUES.forEach(queue -> ask(logOf(queue), new Resume(queue), reply -> {}));
        ask(cluster.routing.ofLimit(LimitedKeys.OVERRIDDEN), new EndOverride(LimitedKeys.OVERRIDDEN), reply -> {});
    }

    /** Everybody works, and does it well. */
    void workOff() {
        for (PartitionId log : cluster.logs())
            ask(log, new Fetch(queuesOf(log), 5, null, null, Duration.ofMillis(300)), reply -> {
                if (reply instanceof Reply.Done done) done.lines().forEach(line -> ack(log, Json.tree(line)));
            });
    }

    private void ack(PartitionId log, JsonNode job) {
        JobId id = JobId.parse(job.get("id").stringValue()).orElseThrow();
        ask(log, new Ack(id, Claimant.UNNAMED, null), reply -> {});
    }
}
