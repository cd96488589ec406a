package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Ack;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completion channel: reports to the partition how runs ended, again and again until it answers; a completion is
 * never dropped. It is bounded by {@link ClaimCapacity}, which lets a job be claimed only if there is a place for its
 * outcome. What the log does not take at once is written to the journal, if there is one, so that it outlives this
 * process.
 */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

    private final String worker;
    private final Undelivered undelivered;
    private final OutcomeReport.Channel channel;
    private final Set<OutcomeReport> unanswered = ConcurrentHashMap.newKeySet();

    Reporter(
            CommandClient client,
            WorkerConfig config,
            RetryTiming pace,
            PartitionBreakers breakers,
            Undelivered undelivered,
            WorkerMeters meters) {
        this.worker = config.id();
        this.undelivered = undelivered;
        channel = new OutcomeReport.Channel(client, config.patience(), pace, breakers, undelivered, meters);
    }

    /** Reports what an earlier worker left in the journal. */
    void sendWhatWasLeft() {
        var left = undelivered.left();
        if (left.isEmpty()) return;
        LOG.info("{} outcomes that an earlier worker could not report are reported now.", left.size());
        left.forEach((number, command) -> {
            var unused = begin(new OutcomeReport(command, number, channel));
        });
    }

    /** Ends, always normally, once the partition has answered or there is nothing to report: with the rejection, if it was one. */
    CompletableFuture<@Nullable Rejection> report(LeasedJob job, RunOutcome outcome) {
        JobCommand command = command(job.id(), new Claimant(worker, job.lease()), outcome);
        return command == null ? CompletableFuture.completedFuture(null) : send(command);
    }

    /** Returns null for an outcome that is not reported. */
    static @Nullable JobCommand command(JobId job, Claimant claimant, RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Succeeded succeeded -> new Ack(job, claimant, succeeded.result());
            case RunOutcome.Failed failed -> new Nack(job, claimant, failed.error(), false);
            case RunOutcome.GivenBack back -> giveBack(job, claimant, back);
            case RunOutcome.LeaseLost lost -> null;
            case RunOutcome.Cancelled cancelled -> null;
        };
    }

    /** Sends a progress report once: it is not worth another try. */
    CompletableFuture<Reply> say(LeasedJob job, ProgressReport report) {
        JobCommand command = new Progress(job.id(), new Claimant(worker, job.lease()), report);
        PartitionId log = channel.client().routing().ofJob(job.id());
        return channel.client().send(log, job.id().toString(), command, channel.patience());
    }

    /** A job that this worker will never be able to run. */
    CompletableFuture<@Nullable Rejection> reportUnreadable(JobId job, long lease, ErrorReport why) {
        return send(new Nack(job, new Claimant(worker, lease), why, false));
    }

    CompletableFuture<@Nullable Rejection> giveBackUnread(JobId job, long lease, RunOutcome.GivenBack back) {
        return send(giveBack(job, new Claimant(worker, lease), back));
    }

    private static Nack giveBack(JobId job, Claimant claimant, RunOutcome.GivenBack back) {
        return Nack.giveBack(job, claimant, ErrorReport.of(back.code(), back.why()), back.delay());
    }

    private CompletableFuture<@Nullable Rejection> send(JobCommand command) {
        return begin(new OutcomeReport(command, null, channel));
    }

    private CompletableFuture<@Nullable Rejection> begin(OutcomeReport report) {
        unanswered.add(report);
        return report.begin().whenComplete((rejection, never) -> unanswered.remove(report));
    }

    /** Ends when everything that is to be reported by now has been answered. */
    CompletableFuture<Void> settled() {
        return CompletableFuture.allOf(
                unanswered.stream().map(OutcomeReport::answered).toArray(CompletableFuture[]::new));
    }

    /**
     * Gives up, as far as this process goes.
     *
     * @return how many reports wait in the journal for another one
     */
    int close() {
        List<OutcomeReport> left = List.copyOf(unanswered);
        int kept = 0;
        for (OutcomeReport report : left) if (report.outlivesUs()) kept++;
        undelivered.close();
        if (!left.isEmpty())
            LOG.warn(
                    "{} outcomes were not reported: {} wait in the journal for the next start, the other jobs run again when their leases end.",
                    left.size(),
                    kept);
        return kept;
    }
}
