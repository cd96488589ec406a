package io.floodgate.verification.history;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Something a caller did. What it was about happened at some moment within the span, or, if unknown, any time later. */
public sealed interface Step {
    Span span();

    /** Of every job that anybody has heard of. */
    static Set<String> ids(List<Step> steps) {
        Set<String> ids = new LinkedHashSet<>();
        for (Step step : steps) {
            if (step instanceof Enqueued enqueued && enqueued.id() != null) ids.add(enqueued.id());
            if (step instanceof Fetched fetched) fetched.jobs().forEach(job -> ids.add(job.id()));
        }
        return ids;
    }

    /**
     * A job was submitted. The token is in its arguments: it tells jobs apart whose id nobody has heard.
     *
     * @param id the producer's own, or the one in the answer; null if neither is there
     * @param batch what is common to the jobs that were submitted together; null for a job of its own
     */
    record Enqueued(
            Span span,
            String token,
            @Nullable String id,
            @Nullable String batch,
            Answer answer) implements Step {}

    /** Jobs were handed out; fetches that brought nothing are not recorded. */
    record Fetched(Span span, String worker, Duration visibility, List<Handed> jobs) implements Step {
        public Fetched {
            jobs = List.copyOf(jobs);
        }
    }

    record Handed(String id, String token, long lease) {}

    record Acked(Span span, String worker, String id, long lease, Answer answer) implements Step {}

    /** A failure was reported, or the job given back. */
    record Nacked(Span span, String worker, String id, long lease, Answer answer) implements Step {}

    record Cancelled(Span span, String id, Answer answer) implements Step {}

    /** A heartbeat; {@code extended} are the jobs whose leases it prolonged, as far as the answer was heard. */
    record Beat(Span span, String worker, List<String> extended, Answer answer) implements Step {
        public Beat {
            extended = List.copyOf(extended);
        }
    }
}
