package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log how runs ended, again and again until it answers: a completion is never dropped. Only where the log's own
 * rule fails again and again is the job left to the end of its lease, so that it does not hold its permit for good.
 */
final class Reporter {
    /** With the longest pauses, more than two minutes. */
    static final int MOST_INTERNAL_ERRORS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

    private final CommandClient client;
    private final String worker;
    private final Duration patience;
    private final Alarms alarms;
    private final Backoff backoff;
    private final WorkerMeters meters;

    Reporter(
            CommandClient client,
            String worker,
            Duration patience,
            Alarms alarms,
            Backoff backoff,
            WorkerMeters meters) {
        this.client = client;
        this.worker = worker;
        this.patience = patience;
        this.alarms = alarms;
        this.backoff = backoff;
        this.meters = meters;
    }

    /** Ends, always normally, once the log has answered or there is nothing to report: with the refusal, if it was one. */
    CompletableFuture<@Nullable Refusal> report(Job job, Outcome outcome) {
        Claimant claimant = new Claimant(worker, job.lease());
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> send(new Ack(job.id(), claimant, succeeded.result()));
            case Outcome.Failed failed -> send(new Nack(job.id(), claimant, failed.error(), false));
            case Outcome.GivenBack back ->
                send(new Nack(job.id(), claimant, ErrorReport.of("worker_closed", "The worker closed."), true));
            case Outcome.LeaseLost lost -> CompletableFuture.completedFuture(null);
            case Outcome.Cancelled cancelled -> CompletableFuture.completedFuture(null);
        };
    }

    /** A job that this worker will never be able to run. */
    CompletableFuture<@Nullable Refusal> reportUnreadable(JobId job, long lease, ErrorReport why) {
        return send(new Nack(job, new Claimant(worker, lease), why, false));
    }

    private CompletableFuture<@Nullable Refusal> send(JobCommand command) {
        Report report = new Report(command);
        report.attempt();
        return report.answered;
    }

    private final class Report {
        private final JobCommand command;
        private final CompletableFuture<@Nullable Refusal> answered = new CompletableFuture<>();
        private int attempts;
        private int internalErrors;

        Report(JobCommand command) {
            this.command = command;
        }

        void attempt() {
            attempts++;
            var unused = sent().whenComplete((reply, failure) -> settle(reply, failure));
        }

        private CompletableFuture<Reply> sent() {
            try {
                JobId job = command.job();
                return client.send(client.routing().ofJob(job), job.toString(), command, patience);
            } catch (RuntimeException failure) {
                return CompletableFuture.failedFuture(failure);
            }
        }

        private void settle(@Nullable Reply reply, @Nullable Throwable failure) {
            Refusal refusal = reply instanceof Reply.Refused refused ? refused.refusal() : null;
            if (reply instanceof Reply.Done) answered.complete(null);
            else if (refusal != null && isFinal(refusal.code())) refuse(refusal);
            else tryAgain(failure == null ? String.valueOf(refusal) : failure.getMessage());
        }

        private void refuse(Refusal refusal) {
            // Also what a repeated report hears whose first try went through unanswered.
            LOG.info("Job {}: its outcome no longer counts: {}", command.job(), refusal.message());
            meters.refusedReports(refusal.code()).increment();
            answered.complete(refusal);
        }

        private boolean isFinal(ErrorCode code) {
            if (code == ErrorCode.INTERNAL_ERROR) return ++internalErrors >= MOST_INTERNAL_ERRORS;
            return !code.mayPass();
        }

        private void tryAgain(@Nullable String why) {
            Duration delay = backoff.after(attempts);
            LOG.warn(
                    "Job {}: its outcome could not be reported ({}); trying again in {} ms.",
                    command.job(),
                    why,
                    delay.toMillis());
            alarms.after(delay, () -> Thread.startVirtualThread(this::attempt));
        }
    }
}
