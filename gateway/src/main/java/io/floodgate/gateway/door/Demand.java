package io.floodgate.gateway.door;

import io.floodgate.topics.job.Envelope;
import java.util.List;

/** What is to come into one queue together: jobs that have got their ids. */
public final class Demand {
    private static final long UNKNOWN = -1;

    private final List<Envelope> jobs;
    private long bytes = UNKNOWN;

    /** @param jobs of one queue, one at least */
    public Demand(List<Envelope> jobs) {
        this.jobs = jobs;
    }

    String queue() {
        return jobs.getFirst().queue();
    }

    String type() {
        return jobs.getFirst().type();
    }

    int jobs() {
        return jobs.size();
    }

    /** Counted as the log counts them, and only for queues whose size is bounded: it takes a while. */
    long bytes() {
        if (bytes == UNKNOWN) bytes = jobs.stream().mapToLong(Demand::bytes).sum();
        return bytes;
    }

    private static long bytes(Envelope job) {
        if (job.id() == null) throw new IllegalArgumentException("a job without an id");
        return job.payload(job.id()).length;
    }
}
