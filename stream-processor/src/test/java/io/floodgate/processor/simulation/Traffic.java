package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Effects.Answer;
import io.floodgate.processor.testing.Demands;
import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.CreateQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.EndHold;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.HoldBatch;
import io.floodgate.topics.command.QueueCommand.HoldRoom;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.WorkerCommand;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantBounds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Producers, workers and curious people: what they append to the partitions, and what they make of the answers. */
final class Traffic {
    static final List<String> QUEUES = List.of("mail", "pdf", "sms", "a", "b", "c");
    /** Of queues in a crowd. */
    static final long HIGHEST_BOUND = 4;

    private static final List<String> WORKERS = List.of("w1", "w2", "w3", "w4");

    final Ledger ledger = new Ledger();
    /** Whether queues may be bounded, and then also their tenants. */
    boolean bounds;
    /** All of them are, and most producers wait. */
    private boolean crowded;

    boolean tenants = true;
    /** Whether a queue that is deleted may have its jobs moved: no check finds what is lost on the way. */
    boolean moves = true;

    private final Cluster cluster;
    private final Chance chance;
    private final Map<Long, Consumer<Reply>> waiting = new TreeMap<>();
    private final List<JobId> ids = new ArrayList<>();
    /** Those that others may choose again: an id that was made for one request has no other use before it is stored. */
    private final List<JobId> chosen = new ArrayList<>();

    private final Set<Long> asked = new LinkedHashSet<>();
    /** Where the questions went of producers that may wait. */
    private final Map<Long, PartitionId> waitsAt = new TreeMap<>();

    /** Questions that need no answer any more. */
    final Set<Long> withdrawn = new LinkedHashSet<>();

    private final List<Long> probes = new ArrayList<>();
    private long numbers;
    private long marks;

    Traffic(Cluster cluster) {
        this.cluster = cluster;
        chance = cluster.chance;
        cluster.listen(this::hear);
    }

    /** Something happens. */
    void next() {
        int dice = chance.below(100);
        if (crowded && chance.oneIn(3)) batch();
        else if (crowded && chance.oneIn(20)) withdraw();
        else if (crowded && chance.oneIn(20)) bound(chance.pick(QUEUES));
        else if (dice < 18) enqueue();
        else if (dice < 24) enqueueRaw();
        else if (dice < 40) batch();
        else if (dice < 64) fetch();
        else if (dice < 68) watch();
        else if (dice < 82) onAnyJob();
        else if (dice < 87) onQueue();
        else if (dice < 95) onWorker();
        else if (dice < 97) askSome(new ListDead(chance.oneIn(2) ? null : chance.pick(QUEUES), 50, null));
        else poison();
    }

    // ---- questions and answers

    private void ask(PartitionId log, Command command, Consumer<Reply> onReply) {
        cluster.send(log, command, question(onReply));
    }

    private ReplyTo question(Consumer<Reply> onReply) {
        long number = ++numbers;
        waiting.put(number, onReply);
        return new ReplyTo(0, "client", number);
    }

    private void askSome(Command command) {
        ask(chance.pick(cluster.logs()), command, reply -> {});
    }

    private void hear(Answer answer) {
        Consumer<Reply> onReply = waiting.remove(answer.to().correlation());
        if (onReply != null) onReply.accept(answer.reply());
    }

    /** The numbers of all questions that ever reached a partition. */
    Set<Long> asked() {
        cluster.broker
                .all()
                .values()
                .forEach(records -> records.forEach(record -> {
                    if (record.from() == null && record.replyTo() != null)
                        asked.add(record.replyTo().correlation());
                }));
        return asked;
    }

    // ---- producers

    private Submission wish(@Nullable JobId id) {
        return Submission.any(chance, chance.pick(QUEUES), id, "m" + ++marks);
    }

    private void enqueue() {
        String queue = chance.pick(QUEUES);
        boolean made = chance.oneIn(2);
        JobId id = made ? newId(queue) : chosenId();
        Submission wish = Submission.any(chance, queue, id, "m" + ++marks);
        PartitionId log = made ? cluster.routing.ofQueue(queue) : cluster.routing.ofJob(id);
        tryUntilAnswered(
                ledger.place(List.of(wish)),
                chance.oneIn(8) ? chance.pick(cluster.logs()) : log,
                new Enqueue(wish.json(), made, forRoom()));
    }

    private void enqueueRaw() {
        Submission wish = wish(chance.oneIn(4) ? chosenId() : null);
        Ledger.Order order = ledger.place(List.of(wish));
        ReplyTo question = chance.oneIn(2) ? null : question(reply -> {});
        if (question != null) order.tries.add(question.correlation());
        else order.fireAndForget = true;
        cluster.send(chance.pick(cluster.logs()), null, wish.json(), question);
    }

    private void batch() {
        boolean made = chance.oneIn(3);
        List<Submission> jobs = new ArrayList<>();
        for (int i = chance.below(4); i >= 0; i--) {
            String queue = chance.pick(QUEUES);
            jobs.add(Submission.any(chance, queue, made ? newId(queue) : chosenId(), "m" + ++marks));
        }
        PartitionId log = cluster.routing.ofQueue(jobs.getFirst().queue());
        if (chance.oneIn(3)) holdRoom(ledger.place(jobs), log, made);
        else tryUntilAnswered(ledger.place(jobs), log, new EnqueueBatch(json(jobs), made, forRoom()));
    }

    private static List<byte[]> json(List<Submission> jobs) {
        return jobs.stream().map(Submission::json).toList();
    }

    /** A batch in parts may announce itself, and wait. */
    private void holdRoom(Ledger.Order order, PartitionId log, boolean made) {
        if (!bounds || chance.oneIn(3)) {
            hold(order, log, 0, made, null, new ArrayList<>());
            return;
        }
        ask(log, new HoldRoom(Demands.of(json(order.jobs)), forRoom()), reply -> {
            if (!(reply instanceof Reply.Done done) || chance.oneIn(8)) return;
            long room = part(done);
            hold(order, log, 0, made, room, new ArrayList<>(List.of(room)));
        });
    }

    private static long part(Reply.Done held) {
        return Json.tree(held.lines().getFirst()).get("part").longValue();
    }

    /** Now and then its sender never ends it, or has it dropped. */
    private void hold(
            Ledger.Order order, PartitionId log, int first, boolean made, @Nullable Long room, List<Long> parts) {
        if (first == order.jobs.size()) {
            if (chance.oneIn(8)) return;
            boolean store = !chance.oneIn(8);
            ReplyTo question = question(reply -> {});
            if (store) order.tries.add(question.correlation());
            cluster.send(log, new EndHold(parts, store), question);
            return;
        }
        int end = first + 1 + chance.below(order.jobs.size() - first);
        ask(log, new HoldBatch(first, json(order.jobs.subList(first, end)), made, room), reply -> {
            if (reply instanceof Reply.Done done) {
                parts.add(part(done));
                hold(order, log, end, made, room, parts);
            } else if (!parts.isEmpty()) {
                ask(log, new EndHold(parts, false), dropped -> {});
            }
        });
    }

    /** Who gets no answer in time asks again with the same ids, unless they were made for this one request. */
    private void tryUntilAnswered(Ledger.Order order, PartitionId log, Command command) {
        boolean again = switch (command) {
            case Enqueue c -> !c.madeId();
            case EnqueueBatch c -> !c.madeIds();
            default -> false;
        };
        ReplyTo question = question(reply -> order.answered = true);
        order.tries.add(question.correlation());
        cluster.send(log, command, question);
        if (crowded) waitsAt.put(question.correlation(), log);
        if (again && order.tries.size() < 4)
            cluster.agenda.after(200 + chance.below(800), () -> {
                if (!order.answered) tryUntilAnswered(order, log, command);
            });
    }

    private JobId newId(String queue) {
        JobId id = JobId.make(Slot.of(queue), cluster.agenda.now(), chance.bits());
        ids.add(id);
        return id;
    }

    /** An id that its producer chose, now and then one that another producer has chosen too. */
    private JobId chosenId() {
        if (chance.oneIn(6) && !chosen.isEmpty()) return recent(chosen);
        JobId id = JobId.make(new Slot(chance.below(4096), chance.below(65536)), cluster.agenda.now(), chance.bits());
        ids.add(id);
        chosen.add(id);
        return id;
    }

    private JobId recent(List<JobId> ids) {
        return ids.get(ids.size() - 1 - chance.below(Math.min(ids.size(), 12)));
    }

    // ---- workers

    private List<String> queuesOf(PartitionId log) {
        List<String> own = new ArrayList<>();
        for (String queue : QUEUES) if (cluster.routing.ofQueue(queue).equals(log)) own.add(queue);
        if (own.isEmpty()) own.add("nobody-uses");
        else if (chance.oneIn(2)) own = List.of(chance.pick(own));
        return own;
    }

    private Duration patience() {
        return chance.oneIn(3) ? Duration.ZERO : Duration.ofMillis(chance.oneOf(1, 20, 500, 5_000));
    }

    private void fetch() {
        PartitionId log = cluster.routing.ofQueue(chance.pick(QUEUES));
        String worker = chance.oneIn(5) ? null : chance.pick(WORKERS);
        Duration visibility = chance.oneIn(2) ? Duration.ofMillis(chance.oneOf(10, 300, 2_000)) : null;
        Fetch fetch = new Fetch(queuesOf(log), chance.oneOf(1, 2, 5), worker, visibility, patience());
        ask(log, fetch, reply -> {
            if (reply instanceof Reply.Done done) done.lines().forEach(line -> work(Json.tree(line)));
        });
    }

    private void work(JsonNode job) {
        JobId id = JobId.parse(job.get("id").stringValue()).orElseThrow();
        ledger.learn(job.get("args").get(0).stringValue(), id);
        ids.add(id);
        chosen.add(id);
        Claimant claimant = new Claimant(
                job.has("worker_id") && !chance.oneIn(4) ? job.get("worker_id").stringValue() : null,
                chance.oneIn(3) ? null : (Long) job.get("lease").longValue());
        long later = chance.oneOf(0, 5, 10, 300, 3_000);
        int end = chance.below(10);
        if (chance.oneIn(5)) ask(logOf(id), new Extend(claimant.worker(), List.of(id), null), reply -> {});
        if (end < 5) cluster.agenda.after(later, () -> ask(logOf(id), new Ack(id, claimant, null), reply -> {}));
        else if (end < 8) cluster.agenda.after(later, () -> ask(logOf(id), failure(id, claimant), reply -> {}));
    }

    private Nack failure(JobId id, Claimant claimant) {
        ErrorReport error = ErrorReport.of(chance.oneOf("oops", "fatal"), "it failed");
        return new Nack(id, claimant, error, chance.oneIn(4), Duration.ofMillis(chance.oneOf(0, 0, 300)));
    }

    private void watch() {
        PartitionId log = cluster.routing.ofQueue(chance.pick(QUEUES));
        ask(log, new Watch(queuesOf(log), patience()), reply -> {});
    }

    private void onWorker() {
        String worker = chance.pick(WORKERS);
        WorkerCommand command = switch (chance.below(8)) {
            case 0, 1, 2, 3, 4 -> new Beat(worker, "{\"pid\":1}".getBytes(StandardCharsets.UTF_8));
            case 5 -> new Leave(worker);
            default -> new GetWorker(worker);
        };
        ask(cluster.routing.ofWorker(worker), command, reply -> {});
    }

    // ---- anybody

    private PartitionId logOf(JobId id) {
        return cluster.routing.ofJob(id);
    }

    private void onAnyJob() {
        if (ids.isEmpty()) return;
        JobId id = recent(ids);
        JobCommand command = switch (chance.below(8)) {
            case 0 -> new Cancel(id);
            case 1 -> new Activate(id);
            case 2, 3 -> new GetJob(id);
            case 4, 5 -> new RetryDead(id);
            case 6 -> new DeleteDead(id);
            default -> new Ack(id, Claimant.UNNAMED, null);
        };
        ask(logOf(id), command, reply -> {});
    }

    private void onQueue() {
        String queue = chance.pick(QUEUES);
        if (bounds && chance.oneIn(2)) {
            deletion(queue);
            return;
        }
        Command command = switch (chance.below(6)) {
            case 5 -> bounds ? new ConfigureQueue(queue, bounds(), unset()) : new GetQueue(queue);
            case 0 -> new Pause(queue);
            case 1, 2, 3 -> new Resume(queue);
            default -> new GetQueue(queue);
        };
        ask(cluster.routing.ofQueue(queue), command, reply -> {});
    }

    /** Queues are made, and deleted in all ways; what is moved may be moved on, and back. */
    private void deletion(String queue) {
        Deletion wanted = chance.oneOf(Deletion.REJECT, Deletion.DRAIN, Deletion.DISCARD, Deletion.MOVE, Deletion.MOVE);
        Deletion strategy = moves || wanted != Deletion.MOVE ? wanted : Deletion.DRAIN;
        String target = strategy == Deletion.MOVE ? chance.pick(QUEUES) : null;
        Command command = chance.oneIn(6)
                ? new CreateQueue(queue, crowded ? bounds() : QueueConfig.NONE)
                : new DeleteQueue(queue, strategy, target);
        ask(cluster.routing.ofQueue(queue), command, reply -> {});
    }

    private Duration forRoom() {
        return chance.oneIn(crowded ? 1 : 3) ? Duration.ofMillis(chance.oneOf(5, 300, 20_000)) : Duration.ZERO;
    }

    private Set<String> unset() {
        return tenants && chance.oneIn(3) ? Set.of("tenants") : Set.of();
    }

    /** A producer hangs up, whether it still waits or not. */
    private void withdraw() {
        if (waitsAt.isEmpty()) return;
        long number = chance.pick(List.copyOf(waitsAt.keySet()));
        PartitionId log = waitsAt.remove(number);
        withdrawn.add(number);
        if (log != null) ask(log, new Withdraw("client", List.of(number)), reply -> {});
    }

    /** Every queue is bounded, so that few jobs fit; one that was deleted comes back with a bound, or not at all. */
    void crowd() {
        bounds = true;
        crowded = true;
        for (PartitionId log : cluster.logs())
            ask(log, new Configure(PartitionSettings.INITIAL.withStrictQueues()), reply -> {});
        QUEUES.forEach(this::bound);
    }

    private void bound(String queue) {
        ask(cluster.routing.ofQueue(queue), new ConfigureQueue(queue, bounds(), Set.of()), reply -> {});
    }

    private QueueConfig bounds() {
        if (crowded)
            return new QueueConfig(
                    (long) chance.oneOf(1, 2, (int) HIGHEST_BOUND),
                    (long) chance.oneOf(0, 0, 300),
                    chance.oneOf(Overflow.BLOCK, Overflow.BLOCK, Overflow.BLOCK, Overflow.REJECT, Overflow.DROP_OLDEST),
                    null);
        return new QueueConfig(
                (long) chance.oneOf(0, 3, 8, 30),
                (long) chance.oneOf(0, 0, 400, 4_000),
                chance.oneOf(Overflow.REJECT, Overflow.BLOCK, Overflow.DROP_OLDEST),
                null,
                !tenants || chance.oneIn(3) ? TenantBounds.NONE : tenants());
    }

    private TenantBounds tenants() {
        return new TenantBounds(Map.of(TenantBounds.OTHERS, (long) chance.oneOf(0, 2, 5), "t" + chance.below(4), (long)
                chance.oneOf(0, 1, 3)));
    }

    private void poison() {
        byte[] value = chance.oneOf("", "{", "[]", "{\"type\":\"x\"}", "[{\"type\":\"x\",\"args\":[]}]")
                .getBytes(StandardCharsets.UTF_8);
        cluster.send(
                chance.pick(cluster.logs()),
                chance.oneOf(null, "enqueue", "batch", "fetch", "ack", "no-such-op"),
                value,
                chance.oneIn(2) ? null : question(reply -> {}));
    }

    /** Puts an end to every job that is still there. */
    void cancel(JobId id) {
        ask(logOf(id), new Cancel(id), reply -> {});
    }

    void openAll() {
        for (String queue : QUEUES) ask(cluster.routing.ofQueue(queue), new Resume(queue), reply -> {});
        Set<String> bounds = Set.of("max_depth", "max_size_bytes", "tenants");
        for (String queue : QUEUES)
            ask(cluster.routing.ofQueue(queue), new ConfigureQueue(queue, QueueConfig.NONE, bounds), reply -> {});
    }

    /** A job for each other partition whose id this one has to claim first: it must be stored, whatever was lost before. */
    void probe(PartitionId home) {
        for (String queue : QUEUES) {
            JobId id = idAt(home);
            Submission wish = Submission.any(chance, queue, id, "m" + ++marks);
            ask(home, new Enqueue(wish.json(), false), reply -> {});
            probes.add(numbers);
        }
    }

    private JobId idAt(PartitionId home) {
        while (true) {
            JobId id =
                    JobId.make(new Slot(chance.below(4096), chance.below(65536)), cluster.agenda.now(), chance.bits());
            if (logOf(id).equals(home) && !cluster.curses.isOn(id)) return id;
        }
    }

    void checkProbes() {
        Map<Long, List<Reply>> answers = cluster.history.answers();
        for (long number : probes) {
            Reply reply =
                    answers.getOrDefault(number, List.of()).stream().findFirst().orElse(null);
            if (!(reply instanceof Reply.Done) && !isDraining(reply))
                throw new AssertionError("job %d was not stored: %s".formatted(number, answers.get(number)));
        }
    }

    /** What was quarantined, or lost on its way, may keep a queue that is deleted. */
    private static boolean isDraining(@Nullable Reply reply) {
        return reply instanceof Reply.Rejected rejected && rejected.rejection().code() == ErrorCode.QUEUE_DRAINING;
    }

    /** Asks for a job where its id leads; the number of the question. */
    long show(JobId id) {
        ask(logOf(id), new GetJob(id), reply -> {});
        return numbers;
    }
}
