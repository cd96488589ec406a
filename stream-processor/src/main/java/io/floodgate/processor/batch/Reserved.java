package io.floodgate.processor.batch;

import io.floodgate.processor.queue.Bounds.Victim;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a participant has reserved for a batch until it is settled: jobs of its queues, and claims on ids.
 *
 * @param askAt when to ask the coordinator what has become of it; null by the first rules
 * @param asked how often that was done
 * @param victims jobs that make room should it be stored
 */
record Reserved(
        List<ReservedJob> jobs,
        List<JobId> claims,
        @Nullable Instant askAt,
        int asked,
        List<Victim> victims) {
    private static final int VERSION = 1;

    /** A job, and its rank: by the time the batch is settled, the id may be another job's. */
    record ReservedJob(JobId id, long rank) {}

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).number(jobs.size());
        for (ReservedJob job : jobs)
            out.fixed(job.id.high()).fixed(job.id.low()).number(job.rank);
        out.number(claims.size());
        for (JobId id : claims) out.fixed(id.high()).fixed(id.low());
        out.optional(askAt).number(asked);
        if (victims.isEmpty()) return out.toBytes();
        out.number(victims.size());
        for (Victim victim : victims)
            out.fixed(victim.id().high()).fixed(victim.id().low()).number(victim.rank());
        return out.toBytes();
    }

    static Reserved read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "what is reserved for a batch");
        List<ReservedJob> jobs = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) jobs.add(new ReservedJob(id(in), in.number()));
        List<JobId> claims = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) claims.add(id(in));
        if (!in.hasMore()) return new Reserved(jobs, claims, null, 0, List.of());
        Instant askAt = in.optionalTime();
        int asked = in.integer();
        List<Victim> victims = new ArrayList<>();
        for (int i = in.hasMore() ? in.integer() : 0; i > 0; i--) victims.add(new Victim(id(in), in.number()));
        return new Reserved(jobs, claims, askAt, asked, victims);
    }

    Reserved askingAt(Instant time, int times) {
        return new Reserved(jobs, claims, time, times, victims);
    }

    private static JobId id(BinaryIn in) {
        return new JobId(in.fixed(), in.fixed());
    }
}
