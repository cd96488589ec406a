package io.floodgate.verification.history;

import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.verification.history.Step.Acked;
import io.floodgate.verification.history.Step.Beat;
import io.floodgate.verification.history.Step.Cancelled;
import io.floodgate.verification.history.Step.ClockSet;
import io.floodgate.verification.history.Step.Enqueued;
import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import io.floodgate.verification.history.Step.Keyed;
import io.floodgate.verification.history.Step.Nacked;
import io.floodgate.verification.history.Step.OfTenant;
import io.floodgate.verification.history.Step.Ordered;
import io.floodgate.verification.history.Step.Skipped;
import io.floodgate.verification.history.Step.TenantBounded;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds a history for a test: each line takes a second. */
final class Story {
    static final Duration LEASE = Duration.ofSeconds(10);

    private static final String QUEUE = "q";

    private final List<Step> steps = new ArrayList<>();
    private final List<EventSeen> events = new ArrayList<>();
    private final Map<String, FinalState> finals = new HashMap<>();
    private final List<KeyAtRest> keys = new ArrayList<>();
    private long seconds;
    private int eventNumber;

    /** The life of a job as it should be, with one failed attempt. */
    static Story ofAGoodLife() {
        return new Story()
                .enqueued("j1", Answer.OK)
                .event("job.enqueued", "j1", "available")
                .fetched("w1", "j1", 1)
                .started("j1", 1)
                .nacked("w1", "j1", 1, Answer.OK)
                .event("job.failed", "j1", "retryable")
                .event("job.retrying", "j1", "retryable")
                .event("job.available", "j1", "available")
                .fetched("w2", "j1", 2)
                .started("j1", 2)
                .acked("w2", "j1", 2, Answer.OK)
                .event("job.completed", "j1", "completed")
                .ended("j1", "completed");
    }

    Story enqueued(String job, Answer answer) {
        steps.add(new Enqueued(now(), "token-" + job, job, null, answer));
        return this;
    }

    /** A tenant may have so much over all queues. */
    Story tenantBounded(long jobs, long running) {
        steps.add(new TenantBounded(now(), jobs, running));
        return this;
    }

    /** Jobs of that tenant. */
    Story ofTenant(String... jobs) {
        for (String job : jobs) {
            enqueued(job, Answer.OK);
            steps.add(new OfTenant(now(), job, false, Answer.OK));
            event("job.enqueued", job, "available");
        }
        return this;
    }

    Story enqueuedTogether(String batch, String job, Answer answer) {
        steps.add(new Enqueued(now(), "token-" + job, job, batch, answer));
        return this;
    }

    Story enqueuedWithoutId(String token) {
        steps.add(new Enqueued(now(), token, null, null, Answer.UNKNOWN));
        return this;
    }

    Story fetched(String worker, String job, long lease) {
        return fetchedAs(worker, job, "token-" + job, lease);
    }

    Story fetchedAs(String worker, String job, String token, long lease) {
        steps.add(new Fetched(now(), worker, LEASE, List.of(new Handed(job, token, lease))));
        return this;
    }

    Story acked(String worker, String job, long lease, Answer answer) {
        steps.add(new Acked(now(), worker, job, lease, answer));
        return this;
    }

    Story nacked(String worker, String job, long lease, Answer answer) {
        steps.add(new Nacked(now(), worker, job, lease, answer));
        return this;
    }

    Story cancelled(String job, Answer answer) {
        steps.add(new Cancelled(now(), job, answer));
        return this;
    }

    Story beat(String worker, String... extended) {
        steps.add(new Beat(now(), worker, List.of(extended), Answer.OK));
        return this;
    }

    Story clockSet(long bySeconds) {
        steps.add(new ClockSet(now(), "broker", Duration.ofSeconds(bySeconds)));
        return this;
    }

    Story after(long moreSeconds) {
        seconds += moreSeconds;
        return this;
    }

    Story event(String type, String job, String state) {
        return eventIn(QUEUE, type, job, state);
    }

    Story eventIn(String queue, String type, String job, String state) {
        return event(type, queue, null, job, state, null);
    }

    /** From the one queue to the other, in this state. */
    Story moved(String from, String to, String job, String state) {
        return event("job.moved", to, from, job, state, null);
    }

    Story started(String job, long lease) {
        return event("job.started", QUEUE, null, job, "active", lease);
    }

    private Story event(
            String type, String queue, @Nullable String from, String job, String state, @Nullable Long lease) {
        return event(type, queue, from, job, state, lease, null);
    }

    private Story event(
            String type,
            String queue,
            @Nullable String from,
            String job,
            String state,
            @Nullable Long lease,
            @Nullable String reason) {
        eventNumber++;
        Instant at = Instant.EPOCH.plusSeconds(seconds).plusMillis(eventNumber);
        events.add(new EventSeen("evt-" + eventNumber, type, queue, from, job, state, lease, reason, at));
        return this;
    }

    /** The last event again, as it stands. */
    Story again() {
        events.add(events.getLast());
        return this;
    }

    Story ended(String job, String state) {
        return endedAs(job, state, null);
    }

    /** @param token of its enqueue, as the server shows the job */
    Story endedAs(String job, String state, @Nullable String token) {
        finals.put(job, new FinalState(job, state, token));
        return this;
    }

    Story gone(String job) {
        finals.put(job, FinalState.gone(job));
        return this;
    }

    /** A job with the key {@code k} that is there now. */
    Story keyed(String job) {
        return keyed(job, "k", false, Answer.OK, null, null);
    }

    Story keyed(
            String job,
            String key,
            boolean replaces,
            Answer answer,
            @Nullable String duplicate,
            @Nullable String replaced) {
        steps.add(new Keyed(now(), job, key, replaces, answer, duplicate, replaced));
        return this;
    }

    /** Jobs of one order key that are there now. */
    Story ordered(KeyOrder order, String... jobs) {
        for (String job : jobs) orderedAs("k", order, job);
        return this;
    }

    Story orderedAs(String key, KeyOrder order, String job) {
        steps.add(new Ordered(now(), job, QUEUE, "tenant", key, order, Answer.OK));
        return event("job.enqueued", job, "available");
    }

    Story failed(String job) {
        return event("job.failed", job, "retryable").event("job.retrying", job, "retryable");
    }

    Story passed(String job, String reason) {
        return event("floodgate.order_skipped", QUEUE, null, job, "retryable", null, reason);
    }

    /** A client asks that others go before it. */
    Story skip(String job, Answer answer) {
        steps.add(new Skipped(now(), job, answer));
        return this;
    }

    Story atRest(KeyAtRest key) {
        keys.add(key);
        return this;
    }

    History history() {
        return new History(steps, events, finals, List.of(), List.of(), keys);
    }

    private Span now() {
        long begun = Duration.ofSeconds(seconds++).toNanos();
        return new Span(begun, begun + Duration.ofMillis(10).toNanos());
    }
}
