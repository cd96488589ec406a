package io.floodgate.gateway.job;

import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.json.MemberWalk;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the outcomes of jobs that had duplicates, by queue; queues beyond a bound share one. */
public final class DuplicateCounts {
    private static final String OTHER = "_other";
    private static final int MOST_QUEUES = 200;

    private record Key(String queue, String outcome) {}

    private final MeterRegistry registry;
    private final Map<String, Boolean> queues = new ConcurrentHashMap<>();
    private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

    public DuplicateCounts(MeterRegistry registry) {
        this.registry = registry;
    }

    /** @param job with a key */
    void hear(Envelope job, Reply reply) {
        if (reply instanceof Reply.Rejected rejected && rejected.rejection().code() == ErrorCode.DUPLICATE)
            count(job.queue(), "rejected");
    }

    /** @param tail of the job, as its partition has answered */
    void stored(Envelope job, byte[] tail) {
        if (MemberWalk.text(tail, "replaced_job_id").isPresent()) count(job.queue(), "replaced");
    }

    void ignored(Envelope job) {
        count(job.queue(), "ignored");
    }

    private void count(String queue, String outcome) {
        boolean isNamed = queues.containsKey(queue) || queues.size() < MOST_QUEUES;
        if (isNamed) queues.put(queue, true);
        counters.computeIfAbsent(
                        new Key(isNamed ? queue : OTHER, outcome),
                        key -> Counter.builder("ojs.jobs.deduplicated")
                                .description("Jobs with a key that had a duplicate, by what became of them")
                                .tags("queue", key.queue, "outcome", key.outcome)
                                .register(registry))
                .increment();
    }
}
