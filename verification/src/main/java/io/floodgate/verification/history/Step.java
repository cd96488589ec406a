package io.floodgate.verification.history;

import io.floodgate.topics.queue.KeyOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Something a caller did. What it was about happened at some moment within the span, or, if unknown, any time later. */
public sealed interface Step {
    Span span();

    /** Those of this kind. */
    static <T extends Step> List<T> only(Class<T> kind, List<Step> steps) {
        return steps.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Of every job that any client knows of. */
    static Set<String> ids(List<Step> steps) {
        Set<String> ids = new LinkedHashSet<>();
        for (Step step : steps) {
            if (step instanceof Enqueued enqueued && enqueued.id() != null) ids.add(enqueued.id());
            if (step instanceof Fetched fetched) fetched.jobs().forEach(job -> ids.add(job.id()));
        }
        return ids;
    }

    /**
     * A job was submitted. The token is in its arguments: it identifies jobs whose id no answer has carried.
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

    /**
     * A job with a key was submitted; it is taken down as {@link Enqueued}, too.
     *
     * @param replaces by its policy it takes the place of another one
     * @param answer OK if the job is there, and it is known what it has replaced
     * @param duplicate for which it was rejected or ignored; null if it was not
     * @param replaced whose place it has taken; null if none, or if that is not known
     */
    record Keyed(
            Span span,
            String id,
            String key,
            boolean replaces,
            Answer answer,
            @Nullable String duplicate,
            @Nullable String replaced)
            implements Step {}

    /**
     * A job with an order key was submitted; it is taken down as {@link Enqueued}, too.
     *
     * @param order of its queue
     */
    record Ordered(Span span, String id, String queue, String tenant, String key, KeyOrder order, Answer answer)
            implements Step {
        String line() {
            return "%s of %s in %s".formatted(key, tenant, queue);
        }
    }

    /**
     * A job of a tenant with bounds over all queues was submitted; it is taken down as {@link Enqueued}, too.
     *
     * @param mayBeDropped by its queue, at any time
     */
    record OfTenant(Span span, String id, boolean mayBeDropped, Answer answer) implements Step {}

    /** The tenant has these bounds over all queues, from the answer on. */
    record TenantBounded(Span span, long maxJobs, long maxConcurrency) implements Step {}

    /** Jobs were handed out; fetches that brought nothing are not recorded. */
    record Fetched(Span span, String worker, Duration visibility, List<Handed> jobs) implements Step {
        public Fetched {
            jobs = List.copyOf(jobs);
        }
    }

    record Handed(String id, String token, long lease) {
        /** @param job as a fetch is answered with it */
        public static Handed of(JsonNode job) {
            return new Handed(
                    job.required("id").stringValue(),
                    job.required("args").required(0).stringValue(),
                    job.required("lease").longValue());
        }
    }

    /**
     * Jobs were offered to bounded queues, all of them or none. Each is taken down as {@link Enqueued}, too.
     *
     * @param at by the clock that the log's time is of, just before it was sent
     * @param inOneStep one log decides about all of it at once: it is for one queue, and its ids lead there
     * @param patience how long there may be waited for room
     * @param full what a queue said that has no room; null if none did
     */
    record Offered(
            Span span,
            Instant at,
            List<OfferedJob> jobs,
            boolean inOneStep,
            Duration patience,
            Answer answer,
            @Nullable Full full)
            implements Step {
        public Offered {
            jobs = List.copyOf(jobs);
        }

        Duration length() {
            return Duration.ofNanos(span.ended() - span.begun());
        }

        Instant answeredAt() {
            return at.plus(length());
        }

        List<String> queues() {
            return jobs.stream().map(OfferedJob::queue).distinct().toList();
        }

        /** Somewhere between its request and its answer: reserved, or in line. */
        boolean mayBeHeld() {
            return !inOneStep || !patience.isZero();
        }

        /** What it asks of a queue, at most. */
        Room demand(String queue) {
            return jobs.stream()
                    .filter(job -> job.queue().equals(queue))
                    .map(job -> new Room(1, job.bytes()))
                    .reduce(Room.NONE, Room::with);
        }
    }

    /** @param bytes at most, as far as its producer can tell */
    record OfferedJob(String id, String queue, int priority, long bytes, String tenant) {
        OfferedJob(String id, String queue, int priority, long bytes) {
            this(id, queue, priority, bytes, "");
        }
    }

    /** That a queue had no room; {@code reason} is empty if it may have some the next time. */
    record Full(String queue, String reason) {
        boolean canNeverFit() {
            return reason.equals("batch_exceeds_bound");
        }

        boolean tooManyWait() {
            return reason.equals("too_many_waiting");
        }
    }

    record Acked(Span span, String worker, String id, long lease, Answer answer) implements Step {}

    /** A failure was reported, or the job given back. */
    record Nacked(Span span, String worker, String id, long lease, Answer answer) implements Step {}

    /** The jobs of its key were to go before a job. */
    record Skipped(Span span, String id, Answer answer) implements Step {}

    record Cancelled(Span span, String id, Answer answer) implements Step {}

    /**
     * The clock that a log's time is of was set.
     *
     * @param by so much, if that is little enough to be believed
     */
    record ClockSet(Span span, String process, Duration by) implements Step {}

    /** A heartbeat; {@code extended} are the jobs whose leases it prolonged, as far as the answer was heard. */
    record Beat(Span span, String worker, List<String> extended, Answer answer) implements Step {
        public Beat {
            extended = List.copyOf(extended);
        }
    }
}
