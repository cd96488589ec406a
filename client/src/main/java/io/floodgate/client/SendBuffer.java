package io.floodgate.client;

import io.floodgate.client.ProducerListener.Result;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.circuit.RetryDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one queue, first in, first out. One request is under way at a time, and what comes meanwhile travels in the
 * next one: so order is kept, batches form by themselves under load, and a queue that opens after a while is not stormed.
 * After a rejection for want of room, batches begin small.
 */
final class SendBuffer {
    /**
     * Delay when the server does not say how long to wait: a full queue (OJS backpressure §8.1), a server that is not
     * there.
     */
    private static final Duration UNTIL_THERE_IS_ROOM = Duration.ofSeconds(1);

    private static final Duration UNTIL_IT_IS_BACK = Duration.ofMillis(200);

    /** Part of a delay that comes on top by chance. */
    private static final double SPREAD_OF_DELAYS = 0.25;

    private final Lines.Key key;
    private final Sending sending;
    private final Circuits circuits;
    private final Requests requests;
    private final Consumer<Lines.Key> idle;
    private final RetryDelay backoff;
    private final ReentrantLock lock = new ReentrantLock();
    private final BufferedJobs waiting;
    private final Wakeup wakeup;
    private final Turn turn;
    private boolean underWay;
    private long notBefore;
    private long lookedAt;
    private @Nullable SendResult lastFailure;
    private @Nullable SendResult abandoned;

    /** @param idle called when nothing waits */
    SendBuffer(Lines.Key key, Sending sending, CircuitBreaker server, Requests requests, Consumer<Lines.Key> idle) {
        this.key = key;
        this.sending = sending;
        this.requests = requests;
        this.idle = idle;
        circuits = new Circuits(key.queue(), sending.breaker(this::circuitIs), server);
        backoff =
                new RetryDelay(Duration.ZERO, sending.config().retries().longest(), SPREAD_OF_DELAYS, sending.chance());
        waiting = new BufferedJobs(sending.config().batching());
        wakeup = new Wakeup(sending.time(), () -> sending.threads().execute(this::pump));
        turn = new Turn(requests, () -> sending.threads().execute(this::granted));
    }

    private void circuitIs(BreakerState state) {
        sending.listener().breaker(key.queue(), state);
    }

    BreakerState breaker() {
        return circuits.own().state();
    }

    /** Adds a job behind all others; {@link #pump} has to follow. */
    void join(PendingSend entry) {
        locked(() -> waiting.add(entry));
    }

    /** Returns whether the send buffer has nothing that would be missed. */
    boolean isForgettable() {
        lock.lock();
        try {
            return waiting.isEmpty()
                    && !underWay
                    && !turn.isAwaited()
                    && circuits.own().isPristine();
        } finally {
            lock.unlock();
        }
    }

    void hurry() {
        locked(waiting::hurry);
        pump();
    }

    /** Ends the waits of all callers; the kept jobs stay, and are sent no more. */
    void abandon(SendResult why) {
        locked(() -> {
            abandoned = why;
            wakeup.cancel();
        });
        pump();
    }

    private void granted() {
        locked(turn::come);
        pump();
    }

    /** Sends the next batch if it can go now; else sees to it that this is looked at again in time. */
    void pump() {
        List<Runnable> told = new ArrayList<>();
        List<PendingSend> pendingCommand = new ArrayList<>();
        locked(() -> {
            long now = sending.time().now();
            wakeup.looked();
            giveUpTheOverdue(now, told);
            giveUpTheHopeless(now, told);
            if (!underWay && mayGo(now)) pendingCommand.addAll(begin());
            wakeInTime(now);
            if (!underWay && turn.drop()) told.add(requests::give);
        });
        told.forEach(Runnable::run);
        if (pendingCommand.isEmpty()) idle.accept(key);
        else send(pendingCommand);
    }

    /** However slow it is before them: a queue that takes its time, requests that are all under way. */
    private void giveUpTheOverdue(long now, List<Runnable> told) {
        for (PendingSend entry : waiting.takeOverdue(now)) {
            SendResult why = entry.isTried() ? lastFailure : null;
            told.add(() -> giveUp(entry, why == null ? deadlinePassed() : why));
        }
    }

    /** Wakes the send buffer in time for the first job that gives up; an empty one has nothing to look at again. */
    private void wakeInTime(long now) {
        long first = waiting.firstDeadline();
        if (first != Long.MAX_VALUE) wakeup.within(first - now);
        else if (waiting.isEmpty()) wakeup.cancel();
    }

    private SendResult deadlinePassed() {
        String message = "The job's turn among those for queue '%s' did not come before its deadline; it was not sent."
                .formatted(key.queue());
        return new SendResult.Unavailable("client_deadline", message, false, Optional.empty());
    }

    /** Gives up jobs that would wait in vain: for an open circuit, or longer than they may. */
    private void giveUpTheHopeless(long now, List<Runnable> told) {
        SendResult end = abandoned;
        if (end != null)
            for (PendingSend entry : waiting.takeIf(each -> !each.isKept())) told.add(() -> giveUp(entry, end));
        long rest = circuits.rest();
        long earliest = Math.max(notBefore, now + rest);
        if (earliest <= now) return;
        Predicate<PendingSend> hopeless = each ->
                each.ended.isDone() || (!each.isKept() && ((rest > 0 && !each.isTried()) || each.endsBefore(earliest)));
        // An entry that was not hopeless before still is not, as long as nothing has changed.
        List<PendingSend> found = earliest == lookedAt ? waiting.takeLatestIf(hopeless) : waiting.takeIf(hopeless);
        lookedAt = earliest;
        SendResult why = lastFailure;
        for (PendingSend entry : found) {
            CircuitOpen open = circuits.failure(entry);
            if (why == null || (!entry.isTried() && rest > 0)) told.add(() -> entry.ended.completeExceptionally(open));
            else told.add(() -> giveUp(entry, why));
        }
    }

    private boolean mayGo(long now) {
        if (waiting.isEmpty() || abandoned != null) return false;
        long pause = Math.max(notBefore - now, Math.max(circuits.pause(), waiting.linger(now)));
        if (pause > 0) wakeup.within(pause);
        return pause <= 0 && turn.take() && circuits.enter();
    }

    private List<PendingSend> begin() {
        List<PendingSend> pendingCommand = waiting.take(circuits.isDeciding());
        underWay = !pendingCommand.isEmpty();
        if (!underWay) circuits.undecided();
        return pendingCommand;
    }

    private void send(List<PendingSend> entries) {
        var pendingCommand = new PendingCommand(
                entries.stream().flatMap(entry -> entry.jobs.stream()).toList());
        long begun = sending.time().now();
        CompletableFuture<SendResult> answer;
        try {
            answer = sending.transport().send(pendingCommand);
        } catch (RuntimeException failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        var unused = answer.exceptionally(SendResult.Unavailable::failed)
                .thenAcceptAsync(
                        come -> settle(
                                entries, come, Duration.ofNanos(sending.time().now() - begun)),
                        sending.threads());
    }

    private void settle(List<PendingSend> sent, SendResult answer, Duration took) {
        Result result = answer.to(sent);
        int jobs = sent.stream().mapToInt(entry -> entry.jobs.size()).sum();
        sending.listener().answered(key.queue(), jobs, result, took);
        circuits.hear(result, answer.retryAfter());
        List<Runnable> told = new ArrayList<>();
        locked(() -> {
            underWay = false;
            switch (result) {
                case STORED, WAS_THERE -> {
                    backoff.reset();
                    waiting.grow();
                    told.add(() -> stored(sent, result == Result.WAS_THERE, answer));
                }
                case BACKPRESSURE, UNAVAILABLE -> tryAgain(sent, answer, told);
                case REJECTED -> rejected(sent, (SendResult.Rejected) answer, told);
            }
            // Before callers get their results: their callbacks may take a while.
            if (turn.drop()) told.addFirst(requests::give);
        });
        told.forEach(Runnable::run);
        pump();
    }

    private void tryAgain(List<PendingSend> sent, SendResult answer, List<Runnable> told) {
        lastFailure = answer;
        boolean rejected = answer instanceof SendResult.Rejected;
        if (rejected) waiting.shrink(sent.size());
        long delay = backoff.next(answer.retryAfter().orElse(rejected ? UNTIL_THERE_IS_ROOM : UNTIL_IT_IS_BACK))
                .toNanos();
        // An open circuit says by itself when to try again.
        long now = sending.time().now();
        if (circuits.rest() == 0) {
            notBefore = now + delay;
        } else {
            notBefore = now;
            backoff.reset();
        }
        List<PendingSend> again = new ArrayList<>();
        for (PendingSend entry : sent) {
            entry.tried(answer);
            if (entry.mayTryAgain(answer, sending.config().retries().most())) again.add(entry);
            else told.add(() -> giveUp(entry, answer));
        }
        waiting.putBack(again);
    }

    private void rejected(List<PendingSend> sent, SendResult.Rejected answer, List<Runnable> told) {
        if (sent.size() > 1) {
            // They only travelled together: what is wrong with one of them is not the others' affair.
            if (answer.backpressure()) waiting.shrink(sent.size());
            else waiting.singly(sent.size());
            waiting.putBack(sent);
        } else if (answer.retryable()) {
            tryAgain(sent, answer, told);
        } else {
            told.add(() -> giveUp(sent.getFirst(), answer));
        }
    }

    private void stored(List<PendingSend> sent, boolean wasThere, SendResult answer) {
        Optional<QueuePressure> pressure =
                answer instanceof SendResult.Stored stored ? stored.pressure() : Optional.empty();
        pressure.ifPresent(sending.listener()::pressure);
        sending.over().accept(sent.stream().filter(PendingSend::isKept).toList());
        for (PendingSend entry : sent) entry.ended.complete(new PendingSend.Taken(wasThere, pressure));
    }

    private void giveUp(PendingSend entry, SendResult why) {
        EnqueueFailed failure = SendFailures.of(why, entry.isUnknown(), entry.jobId());
        if (entry.isKept()) {
            sending.listener().rejected(Job.parse(entry.first().text()), failure);
            sending.over().accept(List.of(entry));
        }
        entry.ended.completeExceptionally(failure);
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
