package io.floodgate.processor.simulation;

import io.floodgate.topics.JobId;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.queue.TenantId;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** A job as its producer means it; times in milliseconds, the clock begins at the epoch. */
record Submission(
        @Nullable JobId id,
        String queue,
        int priority,
        @Nullable Long delay,
        @Nullable Long ttl,
        @Nullable Long timeout,
        @Nullable Long visibility,
        RetryPolicy retry,
        boolean pending,
        boolean discardOnWorkerLost,
        String mark,
        @Nullable String limitKey,
        @Nullable String version,
        @Nullable String orderKey) {

    /** The lengths of everything, few of them, so that things come to happen at the same millisecond. */
    static final List<Long> LENGTHS = List.of(1L, 2L, 1_000L, 1_001L, 5_000L, 29_999L, 30_000L, 30_001L, 60_000L);

    static Submission any(Chance chance, String queue, @Nullable JobId id, String mark) {
        return new Submission(
                id,
                queue,
                chance.oneOf(0, 0, 0, 1, -1, 5, 100, -100),
                chance.oneIn(5) ? (Long) (chance.oneIn(4) ? 0 : chance.pick(LENGTHS)) : null,
                chance.oneIn(6) ? chance.pick(LENGTHS) : null,
                chance.oneIn(5) ? chance.pick(LENGTHS) : null,
                chance.oneIn(3) ? chance.pick(LENGTHS) : null,
                chance.oneIn(3) ? RetryPolicy.DEFAULT : anyRetry(chance),
                chance.oneIn(15),
                chance.oneIn(12),
                mark,
                null,
                null,
                null);
    }

    /** The same job, once its id is known. */
    Submission named(JobId made) {
        return new Submission(
                made,
                queue,
                priority,
                delay,
                ttl,
                timeout,
                visibility,
                retry,
                pending,
                discardOnWorkerLost,
                mark,
                limitKey,
                version,
                orderKey);
    }

    private static RetryPolicy anyRetry(Chance chance) {
        return new RetryPolicy(
                chance.below(5),
                new RetryPolicy.Intervals(
                        Duration.ofMillis(chance.oneIn(5) ? 0 : chance.pick(LENGTHS)),
                        Duration.ofMillis(60_000),
                        chance.oneOf(1.0, 1.5, 2.0),
                        chance.oneOf(Backoff.values()),
                        chance.oneIn(3)),
                chance.oneIn(3) ? List.of("fatal", "auth.*") : List.of(),
                !chance.oneIn(3));
    }

    /** The same job, under a limit of {@link RefLimits}. */
    Submission limited(String key) {
        return with(key, version, orderKey);
    }

    /** The same job, with one of {@link RefVersions}. */
    Submission versioned(String text) {
        return with(limitKey, text, orderKey);
    }

    /** The same job, with a key of {@link RefOrder}. */
    Submission ordered(String key) {
        return with(limitKey, version, key);
    }

    private Submission with(@Nullable String key, @Nullable String text, @Nullable String order) {
        return new Submission(
                id,
                queue,
                priority,
                delay,
                ttl,
                timeout,
                visibility,
                retry,
                pending,
                discardOnWorkerLost,
                mark,
                key,
                text,
                order);
    }

    /** The same job, in another queue. */
    Submission in(String other) {
        return new Submission(
                id,
                other,
                priority,
                delay,
                ttl,
                timeout,
                visibility,
                retry,
                pending,
                discardOnWorkerLost,
                mark,
                limitKey,
                version,
                orderKey);
    }

    String type() {
        return "test." + mark;
    }

    byte[] json() {
        StringJoiner members = new StringJoiner(",", "{", "}");
        members.add("\"type\":\"%s\",\"args\":[\"%s\"],\"queue\":\"%s\",\"priority\":%d"
                .formatted(type(), mark, queue, priority));
        if (id != null) members.add("\"id\":\"%s\"".formatted(id));
        if (delay != null) members.add("\"scheduled_at\":\"%s\"".formatted(iso(delay)));
        if (ttl != null) members.add("\"expires_at\":\"%s\"".formatted(iso(ttl)));
        if (timeout != null) members.add("\"timeout_ms\":%d".formatted(timeout));
        if (visibility != null) members.add("\"visibility_timeout_ms\":%d".formatted(visibility));
        if (!retry.equals(RetryPolicy.DEFAULT)) members.add("\"retry\":" + retryJson());
        if (!tenant().equals(TenantId.DEFAULT)) members.add("\"meta\":{\"tenant_id\":\"%s\"}".formatted(tenant()));
        if (limitKey != null)
            members.add(
                    "\"rate_limit\":{\"key\":\"%s\",\"concurrency\":%d}".formatted(limitKey, RefLimits.most(limitKey)));
        if (orderKey != null) members.add("\"order_key\":\"%s\"".formatted(orderKey));
        if (version != null) members.add("\"version\":\"%s\"".formatted(version));
        if (pending) members.add("\"pending\":true");
        if (discardOnWorkerLost) members.add("\"on_worker_lost\":\"discard\"");
        return members.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** One of a few, or none: as the mark has it, so that no chance is needed. */
    String tenant() {
        int number = Math.floorMod(mark.hashCode(), 4);
        return number == 0 ? TenantId.DEFAULT : "t" + number;
    }

    /** What it takes of a bound. */
    long bytes() {
        try {
            return EnvelopeReader.read(json()).storedBytes();
        } catch (UnreadableJob unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    private static String iso(long millis) {
        return "+" + Duration.ofMillis(millis);
    }

    private String retryJson() {
        StringJoiner errors = new StringJoiner(",", "[", "]");
        retry.nonRetryableErrors().forEach(error -> errors.add("\"" + error + "\""));
        return """
                {"max_attempts":%d,"initial_interval_ms":%d,"max_interval_ms":%d,"backoff_coefficient":%s,\
                "backoff_strategy":"%s","jitter":%s,"non_retryable_errors":%s,"on_exhaustion":"%s"}""".formatted(
                        retry.maxAttempts(),
                        retry.intervals().initial().toMillis(),
                        retry.intervals().max().toMillis(),
                        retry.intervals().coefficient(),
                        retry.intervals().backoff().wire(),
                        retry.intervals().jitter(),
                        errors,
                        retry.deadLetterOnExhaustion() ? "dead_letter" : "discard");
    }
}
