package io.floodgate.processor.batch;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;

/** What a participant holds of a batch until it is settled: jobs of its queues, and claims on ids. */
record HeldJobs(List<Held> jobs, List<JobId> claims) {
    private static final int VERSION = 1;

    /** A job, and its place in the line: by the time the batch is settled, the id may be another job's. */
    record Held(JobId id, long place) {}

    byte[] write() {
        BinaryOut out = new BinaryOut().u8(VERSION).number(jobs.size());
        for (Held job : jobs) out.fixed(job.id.high()).fixed(job.id.low()).number(job.place);
        out.number(claims.size());
        for (JobId id : claims) out.fixed(id.high()).fixed(id.low());
        return out.toBytes();
    }

    static HeldJobs read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "what is held of a batch");
        List<Held> jobs = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) jobs.add(new Held(id(in), in.number()));
        List<JobId> claims = new ArrayList<>();
        for (int i = in.integer(); i > 0; i--) claims.add(id(in));
        return new HeldJobs(jobs, claims);
    }

    private static JobId id(BinaryIn in) {
        return new JobId(in.fixed(), in.fixed());
    }
}
