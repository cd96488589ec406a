package io.floodgate.worker;

import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log how runs ended, again and again until it answers: a completion is never dropped. */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

    private final CommandClient client;
    private final String worker;
    private final Duration patience;
    private final Alarms alarms;
    private final Backoff backoff;

    Reporter(CommandClient client, String worker, Duration patience, Alarms alarms, Backoff backoff) {
        this.client = client;
        this.worker = worker;
        this.patience = patience;
        this.alarms = alarms;
        this.backoff = backoff;
    }

    /** Ends, always normally, once the log has answered or there is nothing to report. */
    CompletableFuture<Void> report(Job job, Outcome outcome) {
        Claimant claimant = new Claimant(worker, job.lease());
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> send(job, new Ack(job.id(), claimant, succeeded.result()));
            case Outcome.Failed failed -> send(job, new Nack(job.id(), claimant, failed.error(), false));
            case Outcome.GivenBack back ->
                send(job, new Nack(job.id(), claimant, ErrorReport.of("worker_closed", "The worker closed."), true));
            case Outcome.LeaseLost lost -> CompletableFuture.completedFuture(null);
        };
    }

    private CompletableFuture<Void> send(Job job, Command command) {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        attempt(job, command, 1, answered);
        return answered;
    }

    private void attempt(Job job, Command command, int attempt, CompletableFuture<Void> answered) {
        var unused = sent(job, command)
                .whenComplete((reply, failure) -> settle(job, command, attempt, answered, reply, failure));
    }

    private CompletableFuture<Reply> sent(Job job, Command command) {
        try {
            return client.send(client.routing().ofJob(job.id()), job.id().toString(), command, patience);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void settle(
            Job job,
            Command command,
            int attempt,
            CompletableFuture<Void> answered,
            @Nullable Reply reply,
            @Nullable Throwable failure) {
        switch (reply) {
            case Reply.Done done -> answered.complete(null);
            case Reply.Refused refused
            when !refused.refusal().code().retryable() -> {
                // Also what a repeated report hears whose first try went through unanswered.
                LOG.info(
                        "Job {}: its outcome no longer counts: {}",
                        job.id(),
                        refused.refusal().message());
                answered.complete(null);
            }
            case null, default -> {
                Duration delay = backoff.after(attempt);
                LOG.warn(
                        "Job {}: its outcome could not be reported ({}); trying again in {} ms.",
                        job.id(),
                        failure == null ? reply : failure.getMessage(),
                        delay.toMillis());
                alarms.after(
                        delay, () -> Thread.startVirtualThread(() -> attempt(job, command, attempt + 1, answered)));
            }
        }
    }
}
