package io.floodgate.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has become of a job in the middleware of its producer.
 *
 * @param dropped one of them did not want it enqueued
 */
record Passage(OutgoingJob job, boolean dropped) {
    static Passage through(List<EnqueueMiddleware> chain, JobEncoding encoding, Job submitted, OutgoingJob.Ids ids) {
        OutgoingJob first = OutgoingJob.of(submitted, ids);
        if (chain.isEmpty() && encoding.codecs().codecs().isEmpty()) return new Passage(first, false);
        Job job = Job.parse(first.text());
        for (EnqueueMiddleware middleware : chain) {
            @Nullable Job next = middleware.enqueue(job);
            if (next == null) return new Passage(first, true);
            job = next;
        }
        OutgoingJob changed = chain.isEmpty() ? first : OutgoingJob.of(job, ids);
        OutgoingJob last = OutgoingJob.of(encoding.encode(Job.parse(changed.text())), ids);
        if (!last.id().equals(first.id()))
            throw new IllegalStateException("middleware has changed the id of job %s".formatted(first.id()));
        return new Passage(last.madeBy(first), false);
    }
}
