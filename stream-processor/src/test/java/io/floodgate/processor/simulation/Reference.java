package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.QueueCommand.Fetch;
import io.floodgate.topics.command.WantedJobs;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One partition the slow, obvious way: everything in plain lists, looked through from end to end. It shares nothing with the
 * engine but ids and the arithmetic of {@code RetryPolicy}. Times are milliseconds.
 */
final class Reference {
    private static final long HALF_AN_HOUR = 1_800_000;
    private static final long HEARTBEAT_TIMEOUT = 30_000;
    private static final long DAY = 86_400_000;

    /** Who waits for a job. */
    private record Waiter(long correlation, boolean watches, Fetch fetch, long until) {}

    private static final class Worker {
        final String name;

        @Nullable
        Long lastBeat;

        boolean lost;
        boolean left;
        /** The partition has told the registry of a lease, and when. */
        boolean holdsLeases;

        @Nullable
        Long announced;

        long seen;
        boolean registered;

        Worker(String name) {
            this.name = name;
        }

        long dueAt() {
            if (!registered) return Long.MAX_VALUE;
            return lastBeat != null && !lost ? lastBeat + HEARTBEAT_TIMEOUT : seen + 7_200_000;
        }
    }

    final List<RefJob> jobs = new ArrayList<>();
    final RefBounds bounds = new RefBounds(this);
    final RefPolicies policies = new RefPolicies(this);
    final RefEndings endings = new RefEndings(this);
    final RefTurns turns = new RefTurns(this);
    final RefOrder order = new RefOrder(this);
    private final RefLimits limits = new RefLimits(this);
    /** How long jobs are kept that were completed or cancelled, and those that were discarded. */
    long daysKept = 7;

    long daysOfDiscarded = 30;
    /** For ever. */
    boolean keepsLetters;

    private final List<Waiter> waiters = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<String> paused = new ArrayList<>();
    /** Queues in which something became available in this step. */
    private final List<String> toServe = new ArrayList<>();

    /** Queues that are looked at again, and when: watches were woken for their jobs, and waiters are still there. */
    private final Map<String, Long> lookAgain = new TreeMap<>();

    private final List<String> answers = new ArrayList<>();
    private long now;
    private long ranks;

    // ---- time

    /** Begins a record: what is due happens, one thing after the other. */
    void passTimeTo(long time) {
        now = Math.max(now, time);
        answers.clear();
        while (fireNext()) serve();
    }

    /** With a tick comes a slice of what is too much for one step. */
    void takeTurn() {
        endings.goThroughOne();
        serve();
    }

    private boolean fireNext() {
        Optional<RefJob> job = jobs.stream()
                .filter(j -> j.wakesAt() <= now)
                .min(Comparator.comparingLong(RefJob::wakesAt).thenComparing(j -> j.id));
        Optional<Waiter> waiter =
                waiters.stream().filter(w -> w.until <= now).min(Comparator.comparingLong(Waiter::until));
        Optional<Worker> worker = workers.stream()
                .filter(w -> w.dueAt() <= now)
                .min(Comparator.comparingLong(Worker::dueAt).thenComparing(w -> w.name));
        long jobAt = job.map(RefJob::wakesAt).orElse(Long.MAX_VALUE);
        long waiterAt = waiter.map(Waiter::until).orElse(Long.MAX_VALUE);
        long workerAt = worker.map(Worker::dueAt).orElse(Long.MAX_VALUE);
        Optional<Map.Entry<String, Long>> queue =
                lookAgain.entrySet().stream().filter(q -> q.getValue() <= now).min(Map.Entry.comparingByValue());
        long queueAt = queue.map(Map.Entry::getValue).orElse(Long.MAX_VALUE);
        RefBounds.Offer blocked = bounds.spent();
        boolean offerFirst = blocked != null
                && blocked.until() <= now
                && blocked.until() < jobAt
                && blocked.until() <= Math.min(workerAt, queueAt)
                && (blocked.until() < waiterAt
                        || (blocked.until() == waiterAt && blocked.number() < waiter.get().correlation));
        if (blocked != null && offerFirst) {
            bounds.leave(blocked);
            carryOut(new RefBounds.Offer(blocked.number(), blocked.jobs(), blocked.single(), now));
            return true;
        }
        if (job.isPresent() && jobAt <= waiterAt && jobAt <= workerAt && jobAt <= queueAt) catchUp(job.get());
        else if (waiter.isPresent() && waiterAt <= workerAt && waiterAt <= queueAt) giveUp(waiter.get());
        else if (worker.isPresent() && workerAt <= queueAt) fallSilent(worker.get());
        else if (queue.isPresent()) lookAgain(queue.get().getKey());
        else return false;
        return true;
    }

    private void catchUp(RefJob job) {
        while (job.wakesAt() <= now) {
            if (job.is("active")) {
                if (job.mustEndAt() <= now) fail(job, "timeout", "timeout", null);
                else if (job.leaseUntil + 5_000 < now) job.leaseUntil = now + 15_000;
                else loseLease(job, "visibility_timeout");
            } else if (job.expiresAt != null && job.origin == null && job.expiresAt <= now) {
                job.errors.add("enqueue_ttl_expired");
                discard(job, job.retry.deadLetterOnExhaustion());
            } else if (job.is("retryable") && job.nextAttemptAt > now) {
                job.isPassed = true;
            } else {
                makeAvailable(job, true);
            }
        }
    }

    private void giveUp(Waiter waiter) {
        waiters.remove(waiter);
        answer(waiter.correlation, waiter.watches ? "ready false" : "");
    }

    private void lookAgain(String queue) {
        lookAgain.remove(queue);
        toServe.add(queue);
    }

    private void fallSilent(Worker worker) {
        boolean beats = worker.lastBeat != null && !worker.lost;
        if (beats && worker.lastBeat + HEARTBEAT_TIMEOUT + 5_000 < now) {
            worker.lastBeat = now;
        } else if (beats) {
            lose(worker, false);
        } else {
            worker.registered = false;
            worker.holdsLeases = false;
            worker.lastBeat = null;
            worker.lost = false;
        }
    }

    private void lose(Worker worker, boolean left) {
        worker.lost = true;
        worker.left = left;
        worker.seen = now;
        if (!worker.holdsLeases) return;
        worker.holdsLeases = false;
        worker.announced = null;
        for (Waiter waiter : List.copyOf(waiters)) if (worker.name.equals(waiter.fetch.worker())) giveUp(waiter);
        for (RefJob job : jobs.stream()
                .filter(j -> j.is("active") && worker.name.equals(j.worker))
                .sorted(Comparator.comparing(j -> j.id))
                .toList()) {
            catchUp(job);
            if (!job.is("active")) continue;
            long silentFrom = Math.min(job.leaseUntil - job.leaseLength, now) + HEARTBEAT_TIMEOUT;
            if (!left && silentFrom - 1_000 > now) {
                job.leaseUntil = Math.min(job.leaseUntil, silentFrom);
                continue;
            }
            if (left && !job.wish.discardOnWorkerLost()) giveBack(job);
            else loseLease(job, "worker_death");
        }
    }

    /** All moments at which something will happen by itself. */
    List<Long> dueTimes() {
        List<Long> times = new ArrayList<>();
        for (RefJob job : jobs) {
            if (job.wakesAt() != Long.MAX_VALUE) times.add(job.wakesAt());
            if (job.is("active")) times.add(job.mustEndAt());
            if (job.expiresAt != null && job.origin == null) times.add(job.expiresAt);
        }
        waiters.forEach(waiter -> times.add(waiter.until));
        bounds.waiting().forEach(offer -> times.add(offer.until()));
        times.addAll(lookAgain.values());
        workers.stream().map(Worker::dueAt).filter(at -> at != Long.MAX_VALUE).forEach(times::add);
        return times;
    }

    // ---- a step's end

    /** Ends a step: serves the waiters, in the order they came. The answers of the whole record. */
    List<String> end() {
        serve();
        return List.copyOf(answers);
    }

    private void serve() {
        do {
            policies.moveToDeadLetters();
            endings.follow();
            serveWaiters();
            toServe.addAll(limits.takeReleased());
            if (!toServe.isEmpty()) serveWaiters();
            for (RefBounds.Offer next = bounds.next(); next != null; next = bounds.next()) {
                carryOut(next);
                serveWaiters();
            }
        } while (endings.finish());
    }

    private void carryOut(RefBounds.Offer offer) {
        String answer = take(offer);
        if (answer != null) answer(offer.number(), answer);
    }

    private void serveWaiters() {
        toServe.addAll(order.takeReleased());
        toServe.sort(Comparator.naturalOrder());
        for (Waiter waiter : waiters) sort(waiter.fetch);
        List<String> spokenFor = new ArrayList<>();
        List<Waiter> fetchesFirst = new ArrayList<>(waiters);
        fetchesFirst.sort(Comparator.comparing(Waiter::watches));
        for (Waiter waiter : fetchesFirst) {
            for (String queue : toServe) {
                if (!waiter.fetch.queues().contains(queue) || rests(queue)) continue;
                if (first(queue, waiter.fetch.types()) == null) continue;
                long left = available(queue)
                        - spokenFor.stream().filter(queue::equals).count();
                if (left <= 0) continue;
                if (waiter.until <= now) {
                    giveUp(waiter);
                    break;
                }
                waiters.remove(waiter);
                if (waiter.watches) spokenFor.add(queue);
                answer(waiter.correlation, waiter.watches ? "ready true" : claim(waiter.fetch, waiter.correlation));
                break;
            }
        }
        toServe.clear();
        for (String queue : spokenFor)
            if (waiters.stream().anyMatch(waiter -> waiter.fetch.queues().contains(queue)))
                lookAgain.put(queue, now + 100);
    }

    void answer(long correlation, String text) {
        answers.add(correlation + ": " + text);
    }

    // ---- jobs

    /** @param patience for how long it may wait for room; the answer is null while it does */
    @Nullable
    String enqueue(Submission wish, long patience, long number) {
        return take(new RefBounds.Offer(number, List.of(wish), true, now + patience));
    }

    /** The same for all of them. */
    @Nullable
    String batch(List<Submission> wishes, long patience, long number) {
        return take(new RefBounds.Offer(number, wishes, false, now + patience));
    }

    private @Nullable String take(RefBounds.Offer offer) {
        List<Submission> wishes = offer.jobs();
        for (int i = 0; i < wishes.size(); i++)
            for (int k = 0; k < i; k++)
                if (wishes.get(i).id().equals(wishes.get(k).id())) return "rejected DUPLICATE";
        for (Submission wish : wishes) if (find(wish.id()) != null) return "rejected DUPLICATE";
        for (Submission wish : wishes) if (endings.isEnding(wish.queue())) return "rejected QUEUE_DRAINING";
        for (Submission wish : wishes)
            if (!policies.allows(wish.queue(), wish.type())) return "rejected JOB_TYPE_NOT_ALLOWED";
        String rejected = bounds.makeRoom(offer);
        if (rejected != null) return rejected.equals(RefBounds.LATER) ? null : rejected;
        return String.join(
                " | ", wishes.stream().map(wish -> admit(wish.id(), wish)).toList());
    }

    /** It makes room for another one. */
    void drop(RefJob job) {
        job.errors.add("overflow");
        discard(job, false);
    }

    /** Its queue is deleted. */
    void dismiss(RefJob job) {
        job.errors.add("queue_deleted");
        discard(job, false);
    }

    /** As it is, and after all that are there. */
    void moveTo(String queue, RefJob job) {
        job.queue = queue;
        job.rank = ++ranks;
        order.come(job);
        turns.look();
        if (job.is("available")) toServe.add(queue);
    }

    private String admit(JobId id, Submission wish) {
        endings.use(wish.queue());
        RefJob job = new RefJob(id, wish, turns::look);
        job.expiresAt = wish.ttl() == null ? null : (Long) (now + wish.ttl());
        job.scheduledAt = wish.delay() == null ? null : (Long) (now + wish.delay());
        job.rank = ++ranks;
        order.come(job);
        policies.give(job);
        jobs.add(job);
        if (wish.pending()) job.become("pending");
        else if (job.scheduledAt != null && job.scheduledAt > now) job.become("scheduled");
        else makeAvailable(job, false);
        return job.text(false);
    }

    private void makeAvailable(RefJob job, boolean atTheEnd) {
        job.become("");
        job.worker = null;
        if (atTheEnd) job.rank = ++ranks;
        job.become("available");
        toServe.add(job.queue);
    }

    @Nullable
    RefJob find(JobId id) {
        return jobs.stream().filter(job -> job.id.equals(id)).findFirst().orElse(null);
    }

    private long available(String queue) {
        return jobs.stream()
                .filter(job -> job.is("available") && job.queue.equals(queue))
                .count();
    }

    private @Nullable RefJob first(String queue, WantedJobs types) {
        while (true) {
            Optional<RefJob> first = jobs.stream()
                    .filter(job -> job.is("available") && job.queue.equals(queue))
                    .filter(job -> types.haveTenant(job.wish.tenant()))
                    .filter(job -> !order.isHeld(job))
                    .filter(job -> RefVersions.isWanted(job.wish, types) && limits.letStart(job))
                    .min(Comparator.comparingInt((RefJob job) -> -job.priority)
                            .thenComparingLong(turns::turn)
                            .thenComparingLong(job -> job.rank));
            if (first.isEmpty()) return null;
            catchUp(first.get());
            if (first.get().is("available")) return first.get();
        }
    }

    private void sort(Fetch fetch) {
        if (fetch.types().nameTenants()) fetch.queues().forEach(turns::sort);
    }

    @Nullable
    String fetch(Fetch fetch, long correlation) {
        sort(fetch);
        String jobs = claim(fetch, correlation);
        if (!jobs.isEmpty() || fetch.maxWait().isZero()) return jobs;
        if (fetch.worker() != null) announce(worker(fetch.worker()));
        waiters.add(new Waiter(correlation, false, fetch, now + fetch.maxWait().toMillis()));
        return null;
    }

    @Nullable
    String watch(Fetch fetch, long correlation) {
        sort(fetch);
        for (String queue : fetch.queues())
            if (!rests(queue) && first(queue, fetch.types()) != null) return "ready true";
        if (fetch.maxWait().isZero()) return "ready false";
        waiters.add(new Waiter(correlation, true, fetch, now + fetch.maxWait().toMillis()));
        return null;
    }

    private String claim(Fetch fetch, long correlation) {
        List<String> claimed = new ArrayList<>();
        for (String queue : fetch.queues()) {
            if (rests(queue)) continue;
            RefJob job;
            while (claimed.size() < fetch.count() && (job = first(queue, fetch.types())) != null) {
                start(job, fetch, correlation);
                claimed.add(job.text(true));
            }
        }
        return String.join(" | ", claimed);
    }

    private void start(RefJob job, Fetch fetch, long correlation) {
        job.handedOutIn = correlation;
        job.missedAt = null;
        turns.start(job);
        job.leaseLength = HALF_AN_HOUR;
        if (job.visibility != null) job.leaseLength = job.visibility;
        if (fetch.visibility() != null) job.leaseLength = fetch.visibility().toMillis();
        job.become("active");
        job.attempt++;
        job.lease++;
        job.worker = fetch.worker();
        job.startedAt = now;
        job.leaseUntil = now + job.leaseLength;
        if (fetch.worker() != null) announce(worker(fetch.worker()));
    }

    private void announce(Worker worker) {
        if (worker.announced != null && worker.announced + 3_600_000 > now) return;
        worker.announced = now;
        worker.registered = true;
        worker.holdsLeases = true;
        worker.seen = now;
    }

    private @Nullable String rejectReport(@Nullable RefJob job, Claimant claimant) {
        if (job == null) return "rejected NOT_FOUND";
        if (!job.is("active")) return "rejected CONFLICT";
        Long lease = claimant.lease();
        Long attempt = claimant.attempt();
        String worker = claimant.worker();
        if (lease != null && lease != job.lease) return "rejected CONFLICT";
        if (attempt != null && attempt != job.attempt) return "rejected CONFLICT";
        if (worker != null && job.worker != null && !worker.equals(job.worker)) return "rejected CONFLICT";
        return null;
    }

    String ack(JobId id, Claimant claimant) {
        RefJob job = find(id);
        String rejection = rejectReport(job, claimant);
        if (rejection != null || job == null) return String.valueOf(rejection);
        job.end("completed", now);
        return job.text(true);
    }

    String nack(JobId id, Claimant claimant, String type, String code, @Nullable Boolean retryable) {
        RefJob job = find(id);
        String rejection = rejectReport(job, claimant);
        if (rejection != null || job == null) return String.valueOf(rejection);
        fail(job, type, code, retryable);
        return job.text(true);
    }

    String giveBack(JobId id, Claimant claimant, long delay) {
        RefJob job = find(id);
        String rejection = rejectReport(job, claimant);
        if (rejection != null || job == null) return String.valueOf(rejection);
        giveBack(job);
        if (delay > 0) {
            job.become("retryable");
            job.nextAttemptAt = now + delay;
        }
        return job.text(true);
    }

    private void giveBack(RefJob job) {
        job.attempt--;
        makeAvailable(job, false);
    }

    private void fail(RefJob job, String type, String code, @Nullable Boolean retryable) {
        job.errors.add(type);
        boolean deadLetter = job.retry.deadLetterOnExhaustion();
        fail(job, type, code, retryable, deadLetter);
        if (job.is("discarded")) policies.died(job);
    }

    private void fail(RefJob job, String type, String code, @Nullable Boolean retryable, boolean deadLetter) {
        if (code.equals("DISCARD") || code.equals("FAIL")) {
            discard(job, false);
        } else if (code.equals("DEAD_LETTER")) {
            discard(job, true);
        } else if (job.attempt >= job.retry.maxAttempts()
                || Objects.equals(retryable, false)
                || ruledOut(job, type)
                || ruledOut(job, code)) {
            discard(job, deadLetter);
        } else {
            job.become("retryable");
            job.worker = null;
            job.nextAttemptAt = now + job.retry.delayAfter(job.attempt, job.id).toMillis();
            order.fail(job, now);
        }
    }

    private static boolean ruledOut(RefJob job, String word) {
        List<String> errors = job.retry.nonRetryableErrors();
        return !errors.isEmpty() && (word.equals("fatal") || word.startsWith("auth."));
    }

    private void loseLease(RefJob job, String why) {
        job.errors.add(why);
        if (job.wish.discardOnWorkerLost() || job.attempt >= job.retry.maxAttempts()) {
            discard(job, job.retry.deadLetterOnExhaustion());
            policies.died(job);
        } else {
            makeAvailable(job, false);
        }
    }

    private void discard(RefJob job, boolean deadLetter) {
        job.end("discarded", now);
        job.deadLetter = deadLetter;
    }

    String cancel(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (job.isTerminal()) return "rejected CONFLICT";
        job.end("cancelled", now);
        return job.text(true);
    }

    String activate(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (!job.is("pending")) return "rejected CONFLICT";
        if (job.scheduledAt != null && job.scheduledAt > now) job.become("scheduled");
        else makeAvailable(job, true);
        return job.text(true);
    }

    String skip(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        boolean waits = job.is("retryable") || job.is("scheduled") || job.is("pending");
        if (job.wish.orderKey() == null || !waits) return "rejected CONFLICT";
        job.isPassed = true;
        return job.text(true);
    }

    String show(JobId id) {
        RefJob job = find(id);
        return job == null ? "rejected NOT_FOUND" : job.text(true);
    }

    String retryDead(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (!job.is("discarded") && !job.isDeadLetter()) return "rejected CONFLICT";
        if (job.expiresAt != null && job.expiresAt <= now) return "rejected CONFLICT";
        String origin = job.origin;
        String full = origin == null ? roomForAnotherTry(job) : policies.reject(job, origin);
        if (full != null) return full;
        job.origin = null;
        comeAgain(job, origin == null ? job.queue : origin);
        return job.text(true);
    }

    private @Nullable String roomForAnotherTry(RefJob job) {
        if (endings.isEnding(job.queue)) return "rejected QUEUE_DRAINING";
        return bounds.makeRoom(new RefBounds.Offer(Long.MAX_VALUE, List.of(job.wish.in(job.queue)), true, now));
    }

    /** Where it is, whatever became of it. */
    String retry(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (!job.is("discarded") && !job.is("cancelled") && !job.is("retryable")) return "rejected CONFLICT";
        if (job.expiresAt != null && job.expiresAt <= now) return "rejected CONFLICT";
        boolean hasEnded = job.isTerminal();
        String full = hasEnded ? roomForAnotherTry(job) : null;
        if (full != null) return full;
        job.origin = null;
        if (hasEnded) order.come(job);
        else job.isPassed = false;
        beginAgain(job, job.queue);
        return job.text(true);
    }

    String delete(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (!job.isTerminal()) return "rejected CONFLICT";
        jobs.remove(job);
        turns.look();
        return "deleted";
    }

    String prioritize(JobId id, int priority) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (job.isTerminal()) return "rejected CONFLICT";
        String state = job.state();
        job.become("");
        job.priority = priority;
        job.become(state);
        return job.text(true);
    }

    /** It is tried from the beginning, in this queue. */
    void comeAgain(RefJob job, String queue) {
        order.come(job);
        beginAgain(job, queue);
    }

    private void beginAgain(RefJob job, String queue) {
        endings.use(queue);
        job.become("");
        job.queue = queue;
        job.deadLetter = false;
        job.attempt = 0;
        job.endedAt = null;
        makeAvailable(job, true);
    }

    String deleteDead(JobId id) {
        RefJob job = find(id);
        if (job == null) return "rejected NOT_FOUND";
        if (!job.is("discarded") && !job.isDeadLetter()) return "rejected CONFLICT";
        jobs.remove(job);
        turns.look();
        return "deleted";
    }

    String extend(@Nullable String worker, List<JobId> ids, @Nullable Long visibility, boolean complete) {
        List<String> extended = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        List<String> cancelled = new ArrayList<>();
        for (JobId id : ids) {
            RefJob job = find(id);
            if (rejectReport(job, new Claimant(worker, null)) == null && job != null) {
                job.leaseUntil = now + (visibility == null ? job.leaseLength : visibility);
                job.handedOutIn = null;
                extended.add('"' + id.toString() + '"');
            } else {
                lost.add('"' + id.toString() + '"');
                if (job != null && job.is("cancelled")) cancelled.add('"' + id.toString() + '"');
            }
        }
        if (complete && worker != null) takeBackWhatNeverArrived(worker, ids);
        return "extended [%s] lost [%s] cancelled [%s]"
                .formatted(String.join(",", extended), String.join(",", lost), String.join(",", cancelled));
    }

    private void takeBackWhatNeverArrived(String worker, List<JobId> named) {
        for (RefJob job : jobs) {
            boolean unknown = job.is("active")
                    && worker.equals(job.worker)
                    && job.handedOutIn != null
                    && !named.contains(job.id)
                    && job.startedAt + HEARTBEAT_TIMEOUT <= now;
            if (!unknown) continue;
            catchUp(job);
            if (!job.is("active")) continue;
            if (job.missedAt == null) job.missedAt = now;
            else if (job.missedAt + 1_000 <= now) giveBack(job);
        }
    }

    /** @param correlations none for all of them */
    String withdraw(List<Long> correlations) {
        bounds.withdraw(correlations);
        waiters.removeIf(waiter -> correlations.isEmpty() || correlations.contains(waiter.correlation));
        for (RefJob job : jobs) {
            boolean handedOut = job.is("active")
                    && job.handedOutIn != null
                    && (correlations.isEmpty() || correlations.contains(job.handedOutIn));
            if (!handedOut) continue;
            catchUp(job);
            if (job.is("active")) giveBack(job);
        }
        return "withdrawn";
    }

    /** Those who wait. */
    List<Long> waiting() {
        List<Long> all =
                new ArrayList<>(waiters.stream().map(Waiter::correlation).toList());
        bounds.waiting().forEach(offer -> all.add(offer.number()));
        return all;
    }

    String listDead(@Nullable String queue, int limit) {
        List<RefJob> dead = jobs.stream()
                .filter(job -> job.isDeadLetter() && (queue == null || job.queue.equals(queue)))
                .sorted(Comparator.comparingLong((RefJob job) -> -job.diedAt()).thenComparing(job -> job.id))
                .toList();
        String page = String.join(
                " | ", dead.stream().limit(limit).map(job -> job.text(true)).toList());
        return "total %d leads on true %s".formatted(dead.size(), page);
    }

    // ---- queues

    long now() {
        return now;
    }

    Stream<RefJob> live(String queue) {
        return jobs.stream().filter(job -> job.queue.equals(queue) && !job.isTerminal());
    }

    /** With those for which room is kept. */
    long depth(String queue) {
        return live(queue).count() + endings.keptJobs(queue);
    }

    long bytes(String queue) {
        return live(queue).mapToLong(job -> job.bytes).sum() + endings.keptBytes(queue);
    }

    private boolean rests(String queue) {
        return paused.contains(queue) || endings.endsJobs(queue);
    }

    void unpause(String queue) {
        if (paused.remove(queue)) toServe.add(queue);
    }

    String configure(String queue, RefBounds.Bound bound) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        endings.use(queue);
        bounds.decide(queue, bound);
        turns.follow(queue, !bound.tenants().isEmpty());
        return status(queue);
    }

    /** Whether its tenants take turns. */
    String decide(String queue, RefTurns.Fairness fairness) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        endings.use(queue);
        turns.decide(queue, fairness, bounds.countsTenants(queue));
        return status(queue);
    }

    /** Of a queue, or of all of them. */
    String decide(String queue, RefPolicies.Policy policy) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        boolean isChanged = policies.decide(queue, policy);
        if (queue.equals(QueueConfig.DEFAULT)) {
            if (isChanged) endings.lookAtAll();
            return QueueConfig.DEFAULT;
        }
        endings.use(queue);
        return status(queue);
    }

    String keep(long days, long ofDiscarded) {
        daysKept = days;
        endings.lookAtAll();
        keepsLetters = true;
        daysOfDiscarded = ofDiscarded;
        return QueueConfig.DEFAULT;
    }

    String pause(String queue) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        endings.use(queue);
        if (!paused.contains(queue)) paused.add(queue);
        return status(queue);
    }

    String resume(String queue) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        unpause(queue);
        return status(queue);
    }

    /** What becomes of an order key whose job has failed. */
    String decide(String queue, RefOrder.Failing failing) {
        if (endings.isEnding(queue)) return "rejected CONFLICT";
        endings.use(queue);
        order.decide(queue, failing);
        return status(queue);
    }

    String status(String queue) {
        return "%s %s depth=%d available=%d active=%d scheduled=%d retryable=%d pending=%d completed=%d discarded=%d cancelled=%d dead=%d size_bytes=%d"
                .formatted(
                        queue,
                        endings.isEnding(queue) ? "draining" : paused.contains(queue) ? "paused" : "active",
                        depth(queue),
                        count(queue, "available"),
                        count(queue, "active"),
                        count(queue, "scheduled"),
                        count(queue, "retryable"),
                        count(queue, "pending"),
                        count(queue, "completed"),
                        count(queue, "discarded"),
                        count(queue, "cancelled"),
                        !endings.exists(queue)
                                ? 0
                                : jobs.stream()
                                        .filter(job -> job.queue.equals(queue) && job.isDeadLetter())
                                        .count(),
                        bytes(queue));
    }

    /** What has finished in a queue that is gone counts nowhere. */
    private long count(String queue, String state) {
        if (!endings.exists(queue)) return 0;
        return jobs.stream()
                .filter(job -> job.queue.equals(queue) && job.is(state))
                .count();
    }

    // ---- workers

    private Worker worker(String name) {
        for (Worker worker : workers) if (worker.name.equals(name)) return worker;
        workers.add(new Worker(name));
        return workers.getLast();
    }

    String beat(String name) {
        Worker worker = worker(name);
        worker.registered = true;
        worker.lost = false;
        worker.lastBeat = now;
        worker.seen = now;
        return "running";
    }

    void leave(String name) {
        Worker worker = worker(name);
        if (worker.registered && !worker.lost) lose(worker, true);
    }

    String showWorker(String name) {
        Worker worker = worker(name);
        if (!worker.registered) return "rejected NOT_FOUND";
        if (!worker.lost) return "running";
        return worker.left ? "left" : "lost";
    }

    // ---- retention

    /** Finished jobs that need not be there any more. */
    List<RefJob> ripeAt(long time) {
        return jobs.stream()
                .filter(job -> !job.deadLetter || !keepsLetters)
                .filter(job -> job.endedAt != null
                        && job.endedAt + (job.is("discarded") ? daysOfDiscarded : daysKept) * DAY <= time)
                .toList();
    }
}
