package io.floodgate.worker;

import io.floodgate.topics.LogId;
import io.floodgate.topics.circuit.Backoff;
import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One outcome on its way to its log, which may take many tries. Only where the log's own rule fails again and again is the
 * job left to the end of its lease, so that it does not keep its place for good.
 */
final class Report {
    /** With the longest pauses, more than two minutes. */
    static final int MOST_INTERNAL_ERRORS = 30;

    /** A log in good order has answered long before, so that nothing is written to disk but in trouble. */
    static final Duration JOURNAL_AFTER = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(Report.class);

    /** What all reports of a worker share. */
    record Channel(
            CommandClient client,
            Duration patience,
            Pace pace,
            LogBreakers breakers,
            Undelivered undelivered,
            WorkerMeters meters) {
        LogId logOf(JobCommand command) {
            return client.routing().ofJob(command.job());
        }
    }

    private final JobCommand command;
    private final Channel channel;
    private final Backoff backoff;
    private final CompletableFuture<@Nullable Refusal> answered = new CompletableFuture<>();
    private @Nullable Long journaled;
    private boolean over;
    private int internalErrors;

    /** @param journaled its number in the journal; null if it is not there */
    Report(JobCommand command, @Nullable Long journaled, Channel channel) {
        this.command = command;
        this.journaled = journaled;
        this.channel = channel;
        backoff = channel.pace().backoff();
    }

    CompletableFuture<@Nullable Refusal> begin() {
        if (channel.undelivered().survive()) {
            Alarms.Alarm alarm = channel.pace().alarms().after(JOURNAL_AFTER, () -> onAThread(this::keep));
            var unused = answered.thenRun(alarm::cancel);
        }
        attempt();
        return answered;
    }

    CompletableFuture<@Nullable Refusal> answered() {
        return answered;
    }

    /** Writes it down, unless that has been done; whether it can be reported after a restart. */
    boolean outlivesUs() {
        keep();
        synchronized (this) {
            return journaled != null;
        }
    }

    private void attempt() {
        LogId log = channel.logOf(command);
        CircuitBreaker breaker = channel.breakers().of(log);
        if (!breaker.tryPass()) {
            keep();
            again(longer(breaker.restLeft(), channel.pace().backoff().next()));
            return;
        }
        var unused = sent(log).whenComplete((reply, failure) -> settle(log, breaker, reply, failure));
    }

    private CompletableFuture<Reply> sent(LogId log) {
        try {
            return channel.client().send(log, command.job().toString(), command, channel.patience());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void settle(LogId log, CircuitBreaker breaker, @Nullable Reply reply, @Nullable Throwable failure) {
        Refusal refusal = reply instanceof Reply.Refused refused ? refused.refusal() : null;
        if (reply instanceof Reply.Done || (refusal != null && isOfTheJob(refusal.code()))) breaker.succeeded();
        else channel.breakers().failed(log);
        if (reply instanceof Reply.Done) end(null);
        else if (refusal != null && isFinal(refusal.code())) refuse(refusal);
        else tryAgain(failure == null ? String.valueOf(refusal) : failure.getMessage());
    }

    /** A log that says this is well, whatever the matter is with the job. */
    private static boolean isOfTheJob(ErrorCode code) {
        return code == ErrorCode.INTERNAL_ERROR || !code.mayPass();
    }

    private void refuse(Refusal refusal) {
        // Also what a repeated report hears whose first try went through unanswered.
        LOG.info("Job {}: its outcome no longer counts: {}", command.job(), refusal.message());
        channel.meters().refusedReports(refusal.code()).increment();
        end(refusal);
    }

    private boolean isFinal(ErrorCode code) {
        if (code == ErrorCode.INTERNAL_ERROR) return ++internalErrors >= MOST_INTERNAL_ERRORS;
        return !code.mayPass();
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
        var unused = channel.pace().alarms().after(delay, () -> onAThread(this::attempt));
    }

    // What rings must be brief.
    private static void onAThread(Runnable action) {
        Thread.startVirtualThread(action);
    }

    private synchronized void keep() {
        if (journaled == null && !over) journaled = channel.undelivered().keep(command);
    }

    private void end(@Nullable Refusal refusal) {
        synchronized (this) {
            over = true;
            channel.undelivered().done(journaled);
        }
        answered.complete(refusal);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
