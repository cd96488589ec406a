package io.floodgate.worker;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.circuit.RetryDelay;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One outcome on its way to its partition, which may take many tries: it is repeated until the partition has taken it, or says that it no
 * longer counts. Nothing that fails in this process ends that either.
 */
final class OutcomeReport {
    /** A partition in good order has answered long before, so that nothing is written to disk but in trouble. */
    static final Duration JOURNAL_AFTER = Duration.ofMillis(200);

    private static final Duration AFTER_OUR_OWN_FAILURE = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeReport.class);

    /** Services that all reports of a worker share. */
    record Channel(
            CommandClient client,
            Duration patience,
            RetryTiming pace,
            PartitionBreakers breakers,
            Undelivered undelivered,
            WorkerMeters meters) {
        PartitionId logOf(JobCommand command) {
            return client.routing().ofJob(command.job());
        }
    }

    private final JobCommand command;
    private final Channel channel;
    private final RetryDelay backoff;
    private final CompletableFuture<@Nullable Rejection> answered = new CompletableFuture<>();
    /**
     * A lock, and no monitor: while a monitor is held, a virtual thread that waits for the disk keeps its carrier in
     * Java 21.
     */
    private final ReentrantLock keeping = new ReentrantLock();

    private @Nullable Long journaled;
    private boolean over;

    /** @param journaled its number in the journal; null if it is not there */
    OutcomeReport(JobCommand command, @Nullable Long journaled, Channel channel) {
        this.command = command;
        this.journaled = journaled;
        this.channel = channel;
        backoff = channel.pace().backoff();
    }

    CompletableFuture<@Nullable Rejection> begin() {
        if (channel.undelivered().survive()) {
            WorkerClock.Alarm alarm = channel.pace().alarms().after(JOURNAL_AFTER, () -> onAThread(this::keep));
            var unused = answered.thenRun(alarm::cancel);
        }
        attempt();
        return answered;
    }

    CompletableFuture<@Nullable Rejection> answered() {
        return answered;
    }

    /** Writes it down, unless that has been done; whether it can be reported after a restart. */
    boolean outlivesUs() {
        keep();
        keeping.lock();
        try {
            return journaled != null;
        } finally {
            keeping.unlock();
        }
    }

    private void attempt() {
        orLater(this::tryToSend);
    }

    // Such as an error for want of memory: it passes, and the outcome must arrive.
    @SuppressWarnings("CatchingUnchecked")
    private void orLater(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            again(AFTER_OUR_OWN_FAILURE);
        }
    }

    private void tryToSend() {
        PartitionId log = channel.logOf(command);
        CircuitBreaker breaker = channel.breakers().of(log);
        if (!breaker.tryPass()) {
            keep();
            // All but one of those that wait find the breaker half open: the longer, the more seldom they look.
            again(longer(breaker.restLeft(), backoff.next()));
            return;
        }
        var unused = sent(log).whenComplete((reply, failure) -> orLater(() -> settle(log, breaker, reply, failure)));
    }

    @SuppressWarnings("CatchingUnchecked") // the breaker has let a call pass, and has to hear how it ended
    private CompletableFuture<Reply> sent(PartitionId log) {
        try {
            return channel.client().send(log, command.job().toString(), command, channel.patience());
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void settle(PartitionId log, CircuitBreaker breaker, @Nullable Reply reply, @Nullable Throwable failure) {
        Rejection rejection = reply instanceof Reply.Rejected rejected ? rejected.rejection() : null;
        if (reply instanceof Reply.Done || (rejection != null && isOfTheJob(rejection.code()))) breaker.succeeded();
        else channel.breakers().failed(log);
        if (reply instanceof Reply.Done) end(null);
        else if (rejection != null && !rejection.code().mayPass()) reject(rejection);
        else tryAgain(failure == null ? String.valueOf(rejection) : failure.getMessage());
    }

    /** A partition that says this is well, whatever the matter is with the job. */
    private static boolean isOfTheJob(ErrorCode code) {
        return code == ErrorCode.INTERNAL_ERROR || !code.mayPass();
    }

    private void reject(Rejection rejection) {
        // A repeated report gets this, too, if its first try succeeded without an answer.
        LOG.info("Job {}: its outcome no longer counts: {}", command.job(), rejection.message());
        channel.meters().rejectedReports(rejection.code()).increment();
        end(rejection);
    }

    private void tryAgain(@Nullable String why) {
        keep();
        Duration delay = backoff.next();
        LOG.warn(
                "Job {}: its outcome could not be reported ({}); trying again in {} ms.",
                command.job(),
                why,
                delay.toMillis());
        again(delay);
    }

    private void again(Duration delay) {
        var unused = channel.pace().alarms().after(delay, this::ring);
    }

    @SuppressWarnings("CatchingUnchecked") // a thread that cannot be started now may be later
    private void ring() {
        try {
            onAThread(this::attempt);
        } catch (Throwable failure) {
            again(AFTER_OUR_OWN_FAILURE);
        }
    }

    // What rings must be brief.
    private static void onAThread(Runnable action) {
        Thread.startVirtualThread(action);
    }

    private void keep() {
        keeping.lock();
        try {
            if (journaled == null && !over) journaled = channel.undelivered().keep(command);
        } finally {
            keeping.unlock();
        }
    }

    private void end(@Nullable Rejection rejection) {
        keeping.lock();
        try {
            over = true;
            channel.undelivered().done(journaled);
        } finally {
            keeping.unlock();
        }
        answered.complete(rejection);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
