package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.JobState;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.Keeping;
import io.floodgate.topics.queue.QueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finished jobs by the time they are to be removed (OJS queue configuration §6.3). */
public final class FinishedJobs {
    private static final byte[] NOTHING = {};

    private final KeyValues index;
    private final Housekeeping housekeeping;
    private final Queues queues;
    private final CountedJobs counted;
    private final Supplier<PartitionSettings> settings;

    public FinishedJobs(
            KeyValues index,
            Housekeeping housekeeping,
            Queues queues,
            CountedJobs counted,
            Supplier<PartitionSettings> settings) {
        this.counted = counted;
        this.queues = queues;
        this.index = index;
        this.housekeeping = housekeeping;
        this.settings = settings;
    }

    public void add(JobRecord job) {
        Instant until = keptUntil(job);
        index.put(Keys.prune(until.toEpochMilli(), job.id), NOTHING);
        housekeeping.wantBy(until);
        counted.enter(job);
    }

    /** Takes out a job that is removed, or lives again. */
    void leave(JobRecord job) {
        counted.leave(job);
    }

    CountedJobs counted() {
        return counted;
    }

    /** Returns when the job is to be removed, as things are now. */
    Instant keptUntil(JobRecord job) {
        if (job.endedAt == null) throw new IllegalStateException("job %s has not ended".formatted(job.id));
        return job.endedAt.plus(kept(job));
    }

    private Duration kept(JobRecord job) {
        JobRecord.DeadLetterInfo info = job.deadLetterInfo;
        // No operator has taken it for as long as it was to be kept.
        boolean hasDecayed = info != null
                && job.state == JobState.DISCARDED
                && !job.deadLetter
                && job.endedAt != null
                && !info.until().isAfter(job.endedAt);
        if (hasDecayed) return Duration.ZERO;
        QueuePolicy policy = queues.of(job).config().policy();
        Keeping keeping = policy.keeping();
        PartitionSettings system = settings.get();
        return switch (job.state) {
            case DISCARDED -> {
                Duration ofLetters = job.deadLetter ? policy.deadLetters().ttl() : null;
                yield ofLetters != null ? ofLetters : first(keeping.discarded(), system.discarded());
            }
            case CANCELLED -> first(keeping.cancelled(), system.cancelled());
            default -> first(keeping.completed(), system.completed());
        };
    }

    private static Duration first(@Nullable Duration decided, Duration otherwise) {
        // mutant: retention-of-queue
        return decided == null ? otherwise : decided;
    }
}
