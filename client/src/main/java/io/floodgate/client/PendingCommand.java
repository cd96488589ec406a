package io.floodgate.client;

import io.floodgate.topics.json.JsonOut;
import java.util.List;

/** Jobs that travel in one request, and are stored together or not at all. */
record PendingCommand(List<OutgoingJob> jobs) {
    PendingCommand {
        jobs = List.copyOf(jobs);
    }

    OutgoingJob first() {
        return jobs.getFirst();
    }

    boolean isSingle() {
        return jobs.size() == 1;
    }

    long bytes() {
        return jobs.stream().mapToLong(job -> job.json().length).sum();
    }

    /** Returns the body for {@code POST /jobs/batch}. */
    byte[] toJson() {
        JsonOut out = JsonOut.object((int) bytes() + 16 + jobs.size()).beginArray("jobs");
        for (OutgoingJob job : jobs) out.raw(job.json());
        return out.endArray().endObject().toBytes();
    }
}
