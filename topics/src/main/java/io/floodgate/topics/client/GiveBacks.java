package io.floodgate.topics.client;

import io.floodgate.topics.JobId;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Nack;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.MemberWalk;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives jobs back that no worker is there to run: again and again for about a minute, until their partition answers.
 * After that they come back because no heartbeat names them, or when their leases end.
 */
final class GiveBacks {
    static final int MOST_TRIES = 12;
    static final Duration PAUSE = Duration.ofSeconds(5);
    /** Jobs that are being given back; further ones are left to the rules for heartbeats. */
    static final int MOST = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(GiveBacks.class);
    private static final ErrorReport REASON =
            ErrorReport.of("fetch_abandoned", "The caller was gone before the job reached it.");

    private final CommandClient client;
    private final Duration patience;
    private final Later later;
    private final AtomicInteger underWay = new AtomicInteger();

    GiveBacks(CommandClient client, Duration patience, Later later) {
        this.client = client;
        this.patience = patience;
        this.later = later;
    }

    void give(byte[] json) {
        try {
            JobId id = MemberWalk.text(json, "id").flatMap(JobId::parse).orElseThrow();
            Long lease = MemberWalk.text(json, "lease").map(Long::valueOf).orElseThrow();
            give(id, new Claimant(null, lease));
        } catch (IndexOutOfBoundsException | NoSuchElementException | NumberFormatException unreadable) {
            LOG.warn("A job that cannot be read is left to the end of its lease ({}).", unreadable.toString());
        }
    }

    private void give(JobId job, Claimant claimant) {
        if (underWay.incrementAndGet() > MOST) {
            underWay.decrementAndGet();
            LOG.warn("Job {} is not given back: too many others are. Its lease ends by itself.", job);
            return;
        }
        attempt(new Nack(job, claimant, REASON, true), 1);
    }

    private void attempt(Nack nack, int attempt) {
        var unused = client.send(client.routing().ofJob(nack.job()), nack.job().toString(), nack, patience)
                .whenComplete((reply, failure) -> settle(nack, attempt, reply, failure));
    }

    private void settle(Nack nack, int attempt, @Nullable Reply reply, @Nullable Throwable failure) {
        boolean settled = switch (reply) {
            case null -> false;
            case Reply.Done done -> true;
            // Another worker has the job by now, or none.
            case Reply.Rejected rejected -> !rejected.rejection().code().mayPass();
        };
        if (!settled && attempt < MOST_TRIES) {
            later.after(PAUSE, () -> attempt(nack, attempt + 1));
            return;
        }
        underWay.decrementAndGet();
        if (!settled)
            LOG.warn(
                    "Job {} could not be given back ({}). Its lease ends by itself.",
                    nack.job(),
                    failure == null ? reply : failure.getMessage());
    }
}
