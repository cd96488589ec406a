package io.floodgate.processor.batch;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;

/** What a participant holds of a batch until it is settled: jobs of its queues, and claims on ids. */
record HeldJobs(List<JobId> jobs, List<JobId> claims) {
    byte[] write() {
        BinaryOut out = new BinaryOut();
        write(out, jobs);
        write(out, claims);
        return out.toBytes();
    }

    private static void write(BinaryOut out, List<JobId> ids) {
        out.number(ids.size());
        for (JobId id : ids) out.fixed(id.high()).fixed(id.low());
    }

    static HeldJobs read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        return new HeldJobs(readIds(in), readIds(in));
    }

    private static List<JobId> readIds(BinaryIn in) {
        int size = in.integer();
        List<JobId> ids = new ArrayList<>();
        for (int i = 0; i < size; i++) ids.add(new JobId(in.fixed(), in.fixed()));
        return ids;
    }
}
