package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.Deleted;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import io.floodgate.verification.history.Step.Full;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the history of a bounded queue for a test: each line takes a second, each job has 100 bytes. */
final class QueueStory {
    private static final String QUEUE = "q";
    private static final String OTHER_QUEUE = "r";
    private static final long BYTES = 100;

    private final List<Step> steps = new ArrayList<>();
    private final List<QueueEvent> events = new ArrayList<>();
    private long seconds = 1_000;
    private long depth;

    QueueStory bounded(long maxDepth, long maxBytes, String strategy) {
        return boundedAt(depth, maxDepth, maxBytes, strategy);
    }

    /** @param there that many jobs, some of them reserved and not in any event yet */
    QueueStory boundedAt(long there, long maxDepth, long maxBytes, String strategy) {
        events.add(new Configured(QUEUE, now(), maxDepth, maxBytes, strategy, there, there * BYTES, false));
        return this;
    }

    /** Its tenants take turns. */
    QueueStory fair() {
        events.add(new Configured(QUEUE, now(), 0, 0, "reject", depth, depth * BYTES, true));
        return this;
    }

    /** Jobs of the tenant that each of them begins with, which come in. */
    QueueStory ofTenants(String... jobs) {
        for (String job : jobs) {
            offer(List.of(new OfferedJob(job, QUEUE, 0, BYTES, job.substring(0, 1))), 0, 0, Answer.OK, null);
            comes(job);
        }
        return this;
    }

    QueueStory started(String... jobs) {
        for (String job : jobs) moves("job.started", job, "active");
        return this;
    }

    QueueStory comes(String job) {
        return comes(job, null);
    }

    QueueStory comesAfterWaiting(String job, long waitedSeconds) {
        return comes(job, Duration.ofSeconds(waitedSeconds));
    }

    private QueueStory comes(String job, @Nullable Duration waited) {
        events.add(new JobMoved(QUEUE, now(), "job.enqueued", job, "available", BYTES, waited));
        depth++;
        return this;
    }

    QueueStory comesUnmeasured(String... jobs) {
        for (String job : jobs) moves("job.enqueued", job, "available");
        return this;
    }

    QueueStory moves(String type, String job, String state) {
        events.add(new JobMoved(QUEUE, now(), type, job, state, null, null));
        return this;
    }

    QueueStory ends(String job) {
        depth--;
        return moves("job.completed", job, "completed");
    }

    QueueStory dropped(String job) {
        moves("job.discarded", job, "discarded");
        events.add(new Dropped(QUEUE, now(), job));
        return this;
    }

    /** What is unfinished has gone elsewhere. */
    QueueStory deleted() {
        events.add(new Deleted(QUEUE, now()));
        depth = 0;
        return this;
    }

    QueueStory offered(String job, int priority) {
        return offer(List.of(new OfferedJob(job, QUEUE, priority, BYTES)), 0, 0, Answer.OK, null);
    }

    /** In a batch whose outcome is unknown. */
    QueueStory offeredWithOtherQueues(String job) {
        List<OfferedJob> jobs =
                List.of(new OfferedJob(job, QUEUE, 0, BYTES), new OfferedJob(job + "-too", OTHER_QUEUE, 0, BYTES));
        return offer(jobs, false, 0, 0, Answer.UNKNOWN, null);
    }

    QueueStory rejected(String... jobs) {
        return offer(jobs(jobs), 0, 0, Answer.REJECTED, new Full(QUEUE, ""));
    }

    QueueStory rejectedForEver(String... jobs) {
        return offer(jobs(jobs), 0, 0, Answer.REJECTED, new Full(QUEUE, "batch_exceeds_bound"));
    }

    QueueStory rejectedAfter(long waitedSeconds, long patienceSeconds, String... jobs) {
        return offer(jobs(jobs), waitedSeconds, patienceSeconds, Answer.REJECTED, new Full(QUEUE, ""));
    }

    private static List<OfferedJob> jobs(String... ids) {
        return Stream.of(ids).map(id -> new OfferedJob(id, QUEUE, 0, BYTES)).toList();
    }

    private QueueStory offer(
            List<OfferedJob> jobs, long tookSeconds, long patienceSeconds, Answer answer, @Nullable Full full) {
        return offer(jobs, true, tookSeconds, patienceSeconds, answer, full);
    }

    private QueueStory offer(
            List<OfferedJob> jobs,
            boolean inOneStep,
            long tookSeconds,
            long patienceSeconds,
            Answer answer,
            @Nullable Full full) {
        Instant at = now();
        Span span = new Span(0, Duration.ofSeconds(tookSeconds).plusMillis(10).toNanos());
        steps.add(new Offered(span, at, jobs, inOneStep, Duration.ofSeconds(patienceSeconds), answer, full));
        seconds += tookSeconds;
        return this;
    }

    QueueStory after(long moreSeconds) {
        seconds += moreSeconds;
        return this;
    }

    History history() {
        return new History(steps, List.of(), Map.of(), events, List.of());
    }

    private Instant now() {
        return Instant.ofEpochSecond(seconds++);
    }
}
