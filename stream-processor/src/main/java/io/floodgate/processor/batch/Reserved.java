package io.floodgate.processor.batch;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.Message.Replaced;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The reservation of a participant for a batch until it is settled: jobs of its queues, and claims on ids.
 *
 * @param askAt when to ask the coordinator for the outcome
 * @param asked how often that was done
 * @param victims jobs that are dropped if it is stored
 * @param replaced jobs that others replace if it is stored
 */
record Reserved(
        List<ReservedJob> jobs,
        List<JobId> claims,
        Instant askAt,
        int asked,
        List<ReservedJob> victims,
        List<Replaced> replaced) {
    private static final int VERSION = 1;

    /** A job, and its rank: by the time the batch is settled, the id may be another job's. */
    record ReservedJob(JobId id, long rank) {}

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION);
        write(jobs, out);
        out.number(claims.size());
        for (JobId id : claims) out.job(id);
        out.time(askAt).number(asked);
        write(victims, out);
        if (!replaced.isEmpty()) out.number(replaced.size());
        for (Replaced each : replaced) out.job(each.job()).job(each.by()).number(each.states());
        return out.toBytes();
    }

    private static void write(List<ReservedJob> jobs, BinaryOut out) {
        out.number(jobs.size());
        for (ReservedJob job : jobs) out.job(job.id).number(job.rank);
    }

    static Reserved read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "what is reserved for a batch");
        List<ReservedJob> jobs = jobs(in);
        List<JobId> claims = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) claims.add(in.job());
        return new Reserved(jobs, claims, in.time(), in.integer(), jobs(in), replaced(in));
    }

    private static List<Replaced> replaced(BinaryIn in) {
        List<Replaced> all = new ArrayList<>();
        if (!in.hasMore()) return all;
        for (int i = in.integer(); i > 0; i--) all.add(new Replaced(in.job(), in.job(), in.integer()));
        return all;
    }

    private static List<ReservedJob> jobs(BinaryIn in) {
        List<ReservedJob> jobs = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) jobs.add(new ReservedJob(in.job(), in.number()));
        return jobs;
    }

    Reserved askingAt(Instant time, int times) {
        return new Reserved(jobs, claims, time, times, victims, replaced);
    }
}
