package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Activate;
import io.floodgate.topics.command.JobCommand.Cancel;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.DeleteDead;
import io.floodgate.topics.command.JobCommand.DeleteJob;
import io.floodgate.topics.command.JobCommand.GetJob;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.RetryDead;
import io.floodgate.topics.command.JobCommand.RetryJob;
import io.floodgate.topics.command.JobCommand.SetPriority;
import io.floodgate.topics.command.JobCommand.SkipJob;
import io.floodgate.topics.command.PartitionCommand.Extend;
import io.floodgate.topics.command.PartitionCommand.ListDead;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Withdraw;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueCommand.DeleteQueue;
import io.floodgate.topics.command.QueueCommand.Enqueue;
import io.floodgate.topics.command.QueueCommand.EnqueueBatch;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.QueueCommand.GetQueue;
import io.floodgate.topics.command.QueueCommand.Pause;
import io.floodgate.topics.command.QueueCommand.Resume;
import io.floodgate.topics.command.QueueCommand.Watch;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.command.WorkerCommand.GetWorker;
import io.floodgate.topics.command.WorkerCommand.Leave;
import io.floodgate.topics.queue.Access;
import io.floodgate.topics.queue.DeadLettering;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.JobDefaults;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.QueuePolicy;
import io.floodgate.topics.queue.TenantBounds;
import io.floodgate.topics.queue.TenantFairness;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.retry.RetryOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can happen in a walk, and how often. */
final class WalkStep {
    private static final List<String> QUEUES = List.of("a", "b", "c.d-1");
    private static final List<String> WORKERS = List.of("w1", "w2", "w3");
    private static final List<String> ERRORS = List.of("oops", "fatal", "auth.denied", "author");
    private static final List<String> POISON = List.of(
            "", "{", "[]", "null", "{\"job_id\":7}", "{\"type\":\"x\"}", "\u0000{}", "{\"type\":\"A\",\"args\":[]}");

    private static final String[] DECIDED = {
        "default_timeout_ms",
        "visibility_timeout_ms",
        "default_retry",
        "allowed_job_types",
        "dead_letter_queue",
        "dead_letter_max_size"
    };

    private final Walk walk;
    private final Chance chance;
    private final Reference reference;
    /** In some walks jobs pile up, in others most workers wait for one. */
    private final int share;
    /** In some walks queues are full from the beginning, and producers stand in line. */
    private boolean fill;

    private final boolean crowded;
    /** In some walks queues give their jobs something, and have queues for their dead letters. */
    private final boolean policies;

    /** In some walks queues bound bytes, too, and in some each of their tenants. */
    private final boolean sizes;

    private final boolean tenants;

    /** In some walks queues are deleted, and their jobs move to others. */
    private final boolean deletions;

    private boolean begins = true;

    WalkStep(Walk walk) {
        this.walk = walk;
        chance = walk.chance;
        reference = walk.reference;
        share = chance.oneOf(6, 10, 20);
        crowded = chance.oneIn(3);
        fill = crowded;
        policies = chance.oneIn(2);
        sizes = chance.oneIn(2);
        tenants = chance.oneIn(2);
        deletions = chance.oneIn(2);
    }

    void take() {
        if (fill) QUEUES.forEach(this::bound);
        fill = false;
        if (begins && policies) keep();
        begins = false;
        if (walk.fair && chance.oneIn(12)) {
            takeTurns(chance.pick(QUEUES));
            return;
        }
        if (walk.ordered && chance.oneIn(20)) {
            if (chance.oneIn(3)) decideOrder(chance.pick(QUEUES));
            else skip();
            return;
        }
        int dice = chance.below(100);
        if (dice < share) enqueue();
        else if (dice < share + share / 3) batch();
        else if (dice < 41) fetch();
        else if (dice < 47 && !(walk.fair && walk.selective)) watch();
        else if (dice < 55) ack();
        else if (dice < 67) nack();
        else if (dice < 71) extend();
        else if (dice < 73) withdraw();
        else if (dice < 82) onAnyJob();
        else if (dice < 86) onQueue();
        else if (dice < 94) onWorker();
        else if (dice < 96) listDead();
        else if (dice < 98) poison();
        else walk.perform(new Tick(), number -> "ticked");
    }

    private void enqueue() {
        String queue = chance.pick(QUEUES);
        if (chance.oneIn(6)) {
            walk.receiveUnnamed(submission(queue, null, "unnamed"));
            return;
        }
        boolean made = chance.oneIn(2);
        JobId id = chance.oneIn(made ? 16 : 4) ? anyJob() : walk.newId(queue);
        Submission wish = submission(queue, id, "single");
        Duration room = forRoom();
        walk.perform(new Enqueue(wish.json(), made, room), number -> reference.enqueue(wish, room.toMillis(), number));
    }

    private Submission submission(String queue, @Nullable JobId id, String mark) {
        Submission any = Submission.any(chance, queue, id, mark);
        if (walk.ordered && !chance.oneIn(3)) any = any.ordered(chance.pick(RefOrder.KEYS));
        if (!walk.selective) return any;
        if (chance.oneIn(2)) any = any.versioned(chance.pick(RefVersions.VERSIONS));
        return chance.oneIn(2) ? any.limited(chance.pick(RefLimits.KEYS)) : any;
    }

    /** The types that a worker wants, and their versions, and the tenants of whom. */
    private WantedJobs types() {
        WantedJobs types = typesOfAll();
        if (!walk.fair || chance.oneIn(2)) return types;
        String tenant = "t" + chance.below(4);
        return types.ofTenants(chance.oneIn(2) ? List.of(tenant) : List.of(tenant, "t1", TenantId.DEFAULT));
    }

    private WantedJobs typesOfAll() {
        if (!walk.selective || chance.oneIn(2)) return WantedJobs.ALL;
        List<String> types = List.of(anyType());
        WantedJobs wanted = chance.oneOf(WantedJobs.ALL, WantedJobs.only(types), WantedJobs.allBut(types));
        if (!wanted.areAll() && chance.oneIn(2)) return wanted;
        return wanted.accepting(Map.of(anyType(), RefVersions.range(chance.pick(RefVersions.RANGES))));
    }

    private String anyType() {
        return "test." + chance.oneOf("single", "batch", "unnamed");
    }

    private void batch() {
        boolean made = chance.oneIn(2);
        List<Submission> wishes = new ArrayList<>();
        for (int i = chance.below(5); i >= 0; i--) {
            String queue = chance.pick(QUEUES);
            JobId id = chance.oneIn(made ? 32 : 8) ? anyJob() : walk.newId(queue);
            wishes.add(submission(queue, id, "batch"));
        }
        Duration room = forRoom();
        walk.perform(
                new EnqueueBatch(wishes.stream().map(Submission::json).toList(), made, room),
                number -> reference.batch(wishes, room.toMillis(), number));
    }

    private Duration forRoom() {
        if (crowded) return Duration.ofMillis(chance.oneOf(5_000, 30_000, 60_000));
        return chance.oneIn(2) ? Duration.ZERO : Duration.ofMillis(chance.pick(Submission.LENGTHS));
    }

    private void fetch() {
        Fetch fetch = new Fetch(
                someQueues(),
                chance.oneOf(1, 1, 2, 3, 100),
                chance.oneIn(5) ? null : chance.pick(WORKERS),
                chance.oneIn(3) ? Duration.ofMillis(chance.oneIn(6) ? 0 : chance.pick(Submission.LENGTHS)) : null,
                patience(),
                types());
        walk.perform(fetch, number -> reference.fetch(fetch, number));
    }

    /** Not where tenants take turns and jobs have limits: the engine may wake two watchers for a job whose permit comes meanwhile. */
    private void watch() {
        Fetch fetch = new Fetch(someQueues(), 1, null, null, patience(), types());
        walk.perform(
                new Watch(fetch.queues(), fetch.maxWait(), fetch.types()), number -> reference.watch(fetch, number));
    }

    private Duration patience() {
        return chance.oneIn(2) ? Duration.ZERO : Duration.ofMillis(chance.pick(Submission.LENGTHS));
    }

    private List<String> someQueues() {
        List<String> queues = new ArrayList<>(List.of(chance.pick(QUEUES)));
        while (chance.oneIn(3)) queues.add(chance.oneIn(8) ? "never-used" : chance.pick(QUEUES));
        return queues;
    }

    private void ack() {
        JobId id = activeJob();
        Claimant claimant = claimant(id);
        byte[] result = chance.oneIn(2) ? "{\"ok\":true}".getBytes(StandardCharsets.UTF_8) : null;
        walk.perform(new Ack(id, claimant, result), number -> reference.ack(id, claimant));
    }

    private void nack() {
        JobId id = activeJob();
        Claimant claimant = claimant(id);
        String type = chance.pick(ERRORS);
        String code =
                chance.oneOf("handler_error", "handler_error", "fatal", "auth.x", "DISCARD", "FAIL", "DEAD_LETTER");
        Boolean retryable = chance.oneOf(null, null, null, true, false);
        boolean requeue = chance.oneIn(4);
        long delay = requeue ? chance.oneOf(0L, 0L, 1_000L) : 0;
        ErrorReport error =
                new ErrorReport(type, code, "it \"failed\"\n", retryable, "{}".getBytes(StandardCharsets.UTF_8));
        walk.perform(
                new Nack(id, claimant, error, requeue, Duration.ofMillis(delay)),
                number -> requeue
                        ? reference.giveBack(id, claimant, delay)
                        : reference.nack(id, claimant, type, code, retryable));
    }

    /** Mostly the one who holds the lease; sometimes one who once did, or does not say. */
    private Claimant claimant(JobId id) {
        RefJob job = reference.find(id);
        String worker = job == null ? null : job.worker;
        long lease = job == null ? 1 : job.lease;
        int attempt = job == null ? 1 : job.attempt;
        return new Claimant(
                chance.oneIn(5) ? chance.pick(WORKERS) : chance.oneIn(3) ? null : worker,
                chance.oneIn(6) ? (Long) Math.max(0, lease - 1) : chance.oneIn(2) ? null : (Long) lease,
                chance.oneIn(8) ? (Long) Math.max(0, attempt - 1L) : chance.oneIn(2) ? null : (Long) (long) attempt);
    }

    private void extend() {
        Set<JobId> named = new LinkedHashSet<>();
        for (int i = chance.below(4); i >= 0; i--) named.add(activeJob());
        String worker = chance.oneIn(4) ? null : chance.pick(WORKERS);
        boolean complete = chance.oneIn(2);
        if (complete && worker != null && chance.oneIn(2)) named.addAll(jobsOf(worker));
        if (complete && chance.oneIn(4)) named.clear();
        List<JobId> ids = List.copyOf(named);
        Long visibility = chance.oneIn(2) ? null : chance.oneIn(8) ? (Long) 0L : chance.pick(Submission.LENGTHS);
        walk.perform(
                new Extend(worker, ids, visibility == null ? null : Duration.ofMillis(visibility), complete),
                number -> reference.extend(worker, ids, visibility, complete));
    }

    private List<JobId> jobsOf(String worker) {
        return reference.jobs.stream()
                .filter(job -> job.is("active") && worker.equals(job.worker))
                .map(job -> job.id)
                .toList();
    }

    /** Waiters and fetches that were answered, a few of them or all. */
    private void withdraw() {
        Set<Long> correlations = new LinkedHashSet<>();
        List<Long> waiting = reference.waiting();
        List<Long> handedOut = reference.jobs.stream()
                .filter(job -> job.is("active") && job.handedOutIn != null)
                .map(job -> job.handedOutIn)
                .toList();
        for (int i = chance.below(3); i >= 0; i--) {
            if (!waiting.isEmpty() && chance.oneIn(2)) correlations.add(chance.pick(waiting));
            if (!handedOut.isEmpty() && chance.oneIn(2)) correlations.add(chance.pick(handedOut));
        }
        if (correlations.isEmpty() && !chance.oneIn(4)) correlations.add(walk.someCorrelation());
        List<Long> list = List.copyOf(correlations);
        walk.perform(new Withdraw(Walk.REQUESTER, list), number -> reference.withdraw(list));
    }

    private void onAnyJob() {
        JobId id = anyJob();
        switch (chance.below(11)) {
            case 8 -> walk.perform(new RetryJob(id), number -> reference.retry(id));
            case 9 -> walk.perform(new DeleteJob(id), number -> reference.delete(id));
            case 10 -> {
                int priority = chance.below(3) - 1;
                walk.perform(new SetPriority(id, priority), number -> reference.prioritize(id, priority));
            }
            case 0, 1 -> walk.perform(new Cancel(id), number -> reference.cancel(id));
            case 2, 3 -> walk.perform(new Activate(id), number -> reference.activate(id));
            case 4 -> walk.perform(new GetJob(id), number -> reference.show(id));
            case 5, 6 -> walk.perform(new RetryDead(id), number -> reference.retryDead(id));
            default -> walk.perform(new DeleteDead(id), number -> reference.deleteDead(id));
        }
    }

    private void onQueue() {
        String queue = chance.pick(QUEUES);
        if (deletions && chance.oneIn(6)) {
            delete(queue);
            return;
        }
        switch (chance.below(policies ? 9 : 7)) {
            case 5, 6 -> bound(queue);
            case 7, 8 -> decide(chance.oneIn(4) ? QueueConfig.DEFAULT : queue);
            case 0 -> walk.perform(new Pause(queue), number -> reference.pause(queue));
            case 1, 2, 3 -> walk.perform(new Resume(queue), number -> reference.resume(queue));
            default -> walk.perform(new GetQueue(queue), number -> reference.status(queue));
        }
    }

    /** One that is certain to be there, since it has jobs: an unused one is given up some day. */
    private void delete(String queue) {
        if (!hasJobs(queue)) return;
        Deletion strategy = chance.pick(List.of(Deletion.values()));
        String other = chance.oneIn(8) ? queue : chance.oneIn(8) ? "never-used" : anotherQueue(queue);
        String target = strategy == Deletion.MOVE && (hasJobs(other) || !QUEUES.contains(other)) ? other : null;
        walk.perform(
                new DeleteQueue(queue, strategy, target),
                number -> reference.endings.delete(queue, strategy.wire(), target));
    }

    private boolean hasJobs(String queue) {
        List<RefJob> ripe = reference.ripeAt(walk.now());
        return reference.jobs.stream().anyMatch(job -> job.queue.equals(queue) && !ripe.contains(job));
    }

    /** What it gives its jobs, and where they go when they have died. */
    private void decide(String queue) {
        String target = chance.oneIn(2) ? anotherQueue(queue) : null;
        RefPolicies.Policy policy = new RefPolicies.Policy(
                chance.oneIn(2) ? chance.pick(Submission.LENGTHS) : null,
                chance.oneIn(2) ? chance.pick(Submission.LENGTHS) : null,
                chance.oneIn(2) ? (Integer) (1 + chance.below(3)) : null,
                chance.oneIn(4) ? chance.oneOf("*", "test.single", "test.batch") : null,
                target,
                // Without a queue for them, it would be how many stay.
                target != null && chance.oneIn(4) ? (Long) (long) chance.below(4) : null);
        walk.perform(
                new ConfigureQueue(queue, QueueConfig.of(policy(policy)), Set.of(DECIDED)),
                number -> reference.decide(queue, policy));
    }

    private String anotherQueue(String queue) {
        List<String> others =
                QUEUES.stream().filter(other -> !other.equals(queue)).toList();
        return chance.pick(others);
    }

    private static QueuePolicy policy(RefPolicies.Policy policy) {
        Long timeout = policy.timeout();
        Long visibility = policy.visibility();
        return new QueuePolicy(
                new JobDefaults(
                        timeout == null ? null : Duration.ofMillis(timeout),
                        visibility == null ? null : Duration.ofMillis(visibility),
                        new RetryOptions(policy.attempts(), null, null, null, null, null, null, null),
                        null),
                Keeping.NONE,
                new DeadLettering(policy.deadLetters(), policy.maxDeadLetters(), null),
                new Access(policy.allowed() == null ? null : List.of(policy.allowed()), null));
    }

    /** Whether its tenants take turns. */
    private void takeTurns(String queue) {
        Map<String, Long> weights =
                chance.oneIn(2) ? Map.of() : Map.of("t" + chance.below(4), chance.oneOf(2L, 3L, 10L));
        boolean isOn = !chance.oneIn(5);
        RefTurns.Fairness fairness = isOn ? new RefTurns.Fairness(true, weights) : RefTurns.Fairness.OFF;
        QueuePolicy policy =
                QueuePolicy.NONE.with(isOn ? TenantFairness.of(weights) : chance.oneOf(TenantFairness.OFF, null));
        Set<String> unset = policy.isNone() ? Set.of(TenantFairness.NAME) : Set.of();
        walk.perform(
                new ConfigureQueue(queue, QueueConfig.of(policy), unset), number -> reference.decide(queue, fairness));
    }

    /** What becomes of an order key whose job has failed. */
    private void decideOrder(String queue) {
        boolean skips = chance.oneIn(3);
        long most = chance.oneIn(2) ? chance.pick(Submission.LENGTHS) : Long.MAX_VALUE;
        KeyOrder order = new KeyOrder(null, skips, most == Long.MAX_VALUE ? null : Duration.ofMillis(most));
        walk.perform(
                new ConfigureQueue(
                        queue, QueueConfig.of(QueuePolicy.NONE.with(order)), Set.of("order_block_at_most_ms")),
                number -> reference.decide(queue, new RefOrder.Failing(skips, most)));
    }

    private void skip() {
        JobId id = anyJob();
        walk.perform(new SkipJob(id), number -> reference.skip(id));
    }

    /** Once and for all: a job may go at any time after its retention. */
    private void keep() {
        long days = chance.oneOf(1L, 7L, 10L);
        long ofDiscarded = chance.oneOf(1L, 2L, 40L);
        QueuePolicy policy = QueuePolicy.NONE
                .with(new Keeping(
                        Duration.ofDays(days), Duration.ofDays(ofDiscarded), Duration.ofDays(days), null, null, null))
                .with(new DeadLettering(null, null, Duration.ofDays(36_500)));
        walk.perform(
                new ConfigureQueue(QueueConfig.DEFAULT, QueueConfig.of(policy), Set.of()),
                number -> reference.keep(days, ofDiscarded));
    }

    private void bound(String queue) {
        long depth = crowded ? 5 : chance.oneOf(0, 5, 8, 20);
        Overflow strategy = crowded && chance.oneIn(2)
                ? Overflow.BLOCK
                : chance.oneOf(Overflow.REJECT, Overflow.BLOCK, Overflow.DROP_OLDEST);
        long bytes = sizes ? chance.oneOf(0L, 0L, 500L, 1_500L) : 0;
        Map<String, Long> ofTenants = tenants && !chance.oneIn(3) ? ofTenants() : Map.of();
        walk.perform(
                new ConfigureQueue(
                        queue,
                        new QueueConfig(depth, bytes, strategy, null, new TenantBounds(ofTenants)),
                        Set.of("tenants")),
                number -> reference.configure(queue, new RefBounds.Bound(depth, bytes, strategy.wire(), ofTenants)));
    }

    private Map<String, Long> ofTenants() {
        return Map.of(TenantBounds.OTHERS, chance.oneOf(0L, 2L, 4L), "t" + chance.below(4), chance.oneOf(0L, 1L, 3L));
    }

    private void onWorker() {
        String worker = chance.pick(WORKERS);
        switch (chance.below(7)) {
            case 0, 1, 2, 3 ->
                walk.perform(
                        new Beat(worker, "{\"pid\":1}".getBytes(StandardCharsets.UTF_8)),
                        number -> reference.beat(worker));
            case 4 ->
                walk.perform(new Leave(worker), number -> {
                    reference.answer(number, "left");
                    reference.leave(worker);
                    return null;
                });
            default -> walk.perform(new GetWorker(worker), number -> reference.showWorker(worker));
        }
    }

    private void listDead() {
        String queue = chance.oneIn(2) ? null : chance.pick(QUEUES);
        int limit = chance.oneOf(1, 2, 200);
        walk.perform(new ListDead(queue, limit, null), number -> reference.listDead(queue, limit));
    }

    private void poison() {
        String op = chance.oneOf(null, "ack", "fetch", "extend", "no-such-op", "batch", "beat");
        walk.receivePoison(op, chance.pick(POISON).getBytes(StandardCharsets.UTF_8));
    }

    /** Every queue, all dead letters, and some jobs or all of them. */
    void lookAround(boolean everywhere) {
        for (RefJob job : List.copyOf(reference.jobs))
            if (everywhere || chance.oneIn(10)) walk.perform(new GetJob(job.id), number -> reference.show(job.id));
        for (String queue : QUEUES) walk.perform(new GetQueue(queue), number -> reference.status(queue));
        walk.perform(new ListDead(null, 200, null), number -> reference.listDead(null, 200));
        if (reference.ripeAt(walk.now()).isEmpty()) return;
        for (int i = 0; i < 3; i++) walk.tickAfter(61_000);
        List<RefJob> kept = reference.ripeAt(walk.now() - 3 * 61_000);
        if (!kept.isEmpty()) throw new AssertionError("kept beyond their retention: " + kept);
    }

    private JobId activeJob() {
        List<RefJob> active =
                reference.jobs.stream().filter(job -> job.is("active")).toList();
        return active.isEmpty() || chance.oneIn(8) ? anyJob() : chance.pick(active).id;
    }

    /** Any job that is there to stay, the last ones rather than the first; now and then one that never was. */
    private JobId anyJob() {
        List<RefJob> ripe = reference.ripeAt(walk.now());
        List<RefJob> jobs =
                reference.jobs.stream().filter(job -> !ripe.contains(job)).toList();
        if (jobs.isEmpty() || chance.oneIn(20)) return walk.newId("a");
        int last = jobs.size() - 1;
        return jobs.get(chance.oneIn(3) ? chance.below(jobs.size()) : last - chance.below(Math.min(8, jobs.size()))).id;
    }
}
