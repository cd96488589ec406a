package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.LogSettings;
import io.floodgate.topics.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Finished jobs by the time they are to be removed (OJS queue configuration §6.3). */
final class FinishedJobs {
    private static final byte[] NOTHING = {};

    private final KeyValues index;
    private final Keys keys;
    private final Housekeeping housekeeping;
    private final Supplier<LogSettings> settings;

    FinishedJobs(KeyValues index, Keys keys, Housekeeping housekeeping, Supplier<LogSettings> settings) {
        this.index = index;
        this.keys = keys;
        this.housekeeping = housekeeping;
        this.settings = settings;
    }

    void add(Job job) {
        Instant until = keptUntil(job);
        index.put(keys.prune(until.toEpochMilli(), job.id), NOTHING);
        housekeeping.wantBy(until);
    }

    /** When it is to be removed, as things are now. */
    Instant keptUntil(Job job) {
        if (job.endedAt == null) throw new IllegalStateException("job %s has not ended".formatted(job.id));
        return job.endedAt.plus(kept(job.state));
    }

    private Duration kept(JobState state) {
        LogSettings now = settings.get();
        return switch (state) {
            case DISCARDED -> now.discarded();
            case CANCELLED -> now.cancelled();
            default -> now.completed();
        };
    }
}
