package io.floodgate.gateway.explain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the partition knows of a queue, as the answer to {@code explain-queue} has it.
 *
 * @param facts that answer
 * @param lost workers that fell silent lately while they ran jobs of the queue
 */
record QueueStanding(Facts facts, List<LostWorker> lost) {
    /** @param jobs that it had of the queue, as far as the gateway has seen */
    record LostWorker(String worker, Instant at, long jobs) {}

    String name() {
        return String.valueOf(facts.text("name"));
    }

    Instant now() {
        Instant now = facts.time("as_of");
        if (now == null) throw new IllegalStateException("an answer without its time");
        return now;
    }

    boolean isKnown() {
        return facts.has("created_at");
    }

    long depth() {
        return facts.number("depth");
    }

    long available() {
        return facts.number("available");
    }

    long active() {
        return facts.number("active");
    }

    long retryable() {
        return facts.number("retryable");
    }

    long scheduled() {
        return facts.number("scheduled");
    }

    long pending() {
        return facts.number("pending");
    }

    /** In jobs; 0 for none. */
    long bound() {
        return facts.inside("config").number("max_depth");
    }

    /** In bytes; 0 for none. */
    long sizeBound() {
        return facts.inside("config").number("max_size_bytes");
    }

    boolean isBounded() {
        return bound() > 0 || sizeBound() > 0;
    }

    /** At its bound; or it was, and is filled up again within seconds after each job that leaves. */
    boolean isFull() {
        return isAtBound() || (isFaster() && hasTurnedAway() && fullInSeconds() <= Thresholds.FULL_AGAIN.toSeconds());
    }

    boolean isAtBound() {
        return "full".equals(facts.text("level"));
    }

    private boolean hasTurnedAway() {
        return blocked() > 0 || facts.number("rejected") > 0 || facts.number("dropped") > 0;
    }

    /** At the present rates; without a bound in jobs, never. */
    double fullInSeconds() {
        if (bound() == 0) return Double.POSITIVE_INFINITY;
        return Math.max(0, bound() - depth()) / (offered() - leaves());
    }

    /** The values of its findings. */
    FindingFacts values() {
        return FindingFacts.of(facts, now())
                .with("queue", name())
                .with("is_full", isFull())
                .with("is_at_bound", isAtBound())
                .with("bound", bound())
                .with("shown_bound", bound() > 0 ? Words.count(bound(), "job") : Words.bytes(sizeBound()))
                .with("offered_per_second", offered())
                .with("leave_per_second", leaves())
                .with("window_seconds", Thresholds.FETCHED_LATELY.toSeconds());
    }

    /** Jobs that are offered in a second, whatever becomes of them. */
    double offered() {
        return facts.decimal("fills_per_second");
    }

    /** Jobs that leave in a second, whatever becomes of them. */
    double leaves() {
        return facts.decimal("drains_per_second");
    }

    boolean isFaster() {
        return offered() > Thresholds.FASTER * leaves();
    }

    long blocked() {
        return facts.number("blocked");
    }

    boolean isPaused() {
        return facts.flag("paused");
    }

    boolean isDraining() {
        return facts.has("deletion");
    }

    /** Whether it hands out jobs, as far as operators have a say. */
    boolean handsOut() {
        return !isPaused() && !isDraining() && !facts.flag("maintenance");
    }

    @Nullable
    Instant oldest() {
        return facts.time("oldest_available_at");
    }

    /** Whether its oldest available job has waited for at least this time. */
    boolean hasWaited(Duration time) {
        Instant oldest = oldest();
        return available() > 0 && oldest != null && !oldest.plus(time).isAfter(now());
    }

    long waitingFetches() {
        return facts.inside("waiting_fetches").number("count");
    }

    boolean isFetched() {
        return waitingFetches() > 0 || facts.flag("fetched_lately");
    }

    long averageRunMillis() {
        return facts.number("avg_duration_ms");
    }

    Facts recent() {
        return facts.inside("recent");
    }

    long recentRuns() {
        return recent().number("completed") + recent().number("failed");
    }

    List<Facts> runs() {
        return facts.inside("runs").list("longest");
    }
}
