package io.floodgate.topics.job;

import io.floodgate.topics.job.RetryPolicy.Intervals;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.Members;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a job or a queue says about retries: any part of a policy, to be laid over another one (OJS retry §8.1). */
public final class RetryOptions {
    public static final RetryOptions NONE = new RetryOptions();

    private @Nullable Integer maxAttempts;
    private @Nullable Duration initial;
    private @Nullable Duration max;
    private @Nullable Double coefficient;
    private @Nullable Backoff backoff;
    private @Nullable Boolean jitter;
    private @Nullable List<String> nonRetryableErrors;
    private @Nullable Boolean deadLetter;

    private RetryOptions() {}

    static RetryOptions ofMaxAttempts(JsonNode value) throws UnreadableJob {
        RetryOptions options = new RetryOptions();
        options.maxAttempts = maxAttempts(value);
        return options;
    }

    /** Reads every spelling in use: snake case, camel case, ISO durations, Go durations, milliseconds. */
    static RetryOptions read(Members retry) throws UnreadableJob {
        RetryOptions options = new RetryOptions();
        for (String name : retry.names()) {
            JsonNode value = retry.value(name);
            if (value != null) options.set(name, value);
        }
        options.checkAgainst(RetryPolicy.DEFAULT);
        return options;
    }

    private void set(String name, JsonNode value) throws UnreadableJob {
        switch (name) {
            case "max_attempts", "maxAttempts" -> maxAttempts = maxAttempts(value);
            case "initial_interval", "initialInterval" -> initial = duration(name, value);
            case "initial_interval_ms" -> initial = millis(name, value);
            case "max_interval", "maxInterval" -> max = duration(name, value);
            case "max_interval_ms" -> max = millis(name, value);
            case "backoff_coefficient", "backoffCoefficient" -> coefficient = coefficient(name, value);
            case "backoff_type", "backoff_strategy", "backoff", "backoffStrategy" -> backoff = backoff(name, value);
            case "jitter" -> jitter = bool(name, value);
            case "non_retryable_errors", "nonRetryableErrors" -> nonRetryableErrors = strings(name, value);
            case "on_exhaustion", "onExhaustion" -> deadLetter = onExhaustion(name, value);
            default -> {} // OJS core §5: unknown fields are not errors
        }
    }

    /** This over {@code base}: field by field. */
    public RetryPolicy over(RetryPolicy base) {
        if (this == NONE) return base;
        Intervals b = base.intervals();
        return new RetryPolicy(
                maxAttempts != null ? maxAttempts : base.maxAttempts(),
                new Intervals(
                        initial != null ? initial : b.initial(),
                        max != null ? max : longest(b.max(), initial),
                        coefficient != null ? coefficient : b.coefficient(),
                        backoff != null ? backoff : b.backoff(),
                        jitter != null ? jitter : b.jitter()),
                nonRetryableErrors != null ? nonRetryableErrors : base.nonRetryableErrors(),
                deadLetter != null ? deadLetter : base.deadLetterOnExhaustion());
    }

    /** A job that only asks for a longer first interval must not be cut by an inherited cap below it. */
    private static Duration longest(Duration max, @Nullable Duration initial) {
        return initial != null && initial.compareTo(max) > 0 ? initial : max;
    }

    void write(JsonOut out) {
        out.beginObject();
        if (maxAttempts != null) out.field("max_attempts", maxAttempts);
        if (initial != null) out.field("initial_interval", Durations.format(initial));
        if (max != null) out.field("max_interval", Durations.format(max));
        if (coefficient != null) out.field("backoff_coefficient", coefficient);
        if (backoff != null) out.field("backoff_strategy", backoff.wire());
        if (jitter != null) out.field("jitter", jitter);
        if (nonRetryableErrors != null) out.field("non_retryable_errors", nonRetryableErrors);
        if (deadLetter != null) out.field("on_exhaustion", deadLetter ? "dead_letter" : "discard");
        out.endObject();
    }

    private void checkAgainst(RetryPolicy base) throws UnreadableJob {
        RetryPolicy whole = over(base);
        if (whole.intervals().max().compareTo(whole.intervals().initial()) < 0)
            throw UnreadableJob.retry(
                    "max_interval", "retry 'max_interval' must not be shorter than 'initial_interval'");
    }

    private static int maxAttempts(JsonNode value) throws UnreadableJob {
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0)
            throw UnreadableJob.retry("max_attempts", "retry 'max_attempts' must be an integer of 0 or more");
        return value.intValue();
    }

    private static Duration duration(String name, JsonNode value) throws UnreadableJob {
        Optional<Duration> duration = value.isString() ? Durations.parse(value.stringValue()) : Optional.empty();
        // To the millisecond, as it is written.
        return duration.map(d -> Duration.ofMillis(d.toMillis()))
                .orElseThrow(() -> UnreadableJob.retry(
                        name, "retry '%s' must be an ISO 8601 duration such as PT1S".formatted(name)));
    }

    private static Duration millis(String name, JsonNode value) throws UnreadableJob {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < 0
                || value.longValue() > Durations.LONGEST.toMillis())
            throw UnreadableJob.retry(name, "retry '%s' must be a number of milliseconds".formatted(name));
        return Duration.ofMillis(value.longValue());
    }

    private static double coefficient(String name, JsonNode value) throws UnreadableJob {
        double coefficient = value.isNumber() ? value.doubleValue(0) : 0;
        if (coefficient < 1 || coefficient > 1e6)
            throw UnreadableJob.retry(name, "retry '%s' must be a number from 1 to 1000000".formatted(name));
        return coefficient;
    }

    private static Backoff backoff(String name, JsonNode value) throws UnreadableJob {
        Optional<Backoff> backoff = value.isString() ? Backoff.parse(value.stringValue()) : Optional.empty();
        return backoff.orElseThrow(() -> UnreadableJob.retry(
                name, "retry '%s' must be none, constant, linear, exponential or polynomial".formatted(name)));
    }

    private static boolean bool(String name, JsonNode value) throws UnreadableJob {
        if (!value.isBoolean()) throw UnreadableJob.retry(name, "retry '%s' must be true or false".formatted(name));
        return value.booleanValue();
    }

    private static List<String> strings(String name, JsonNode value) throws UnreadableJob {
        if (!value.isArray() || value.size() > 1_000)
            throw UnreadableJob.retry(name, "retry '%s' must be a list of error types".formatted(name));
        List<String> strings = new ArrayList<>();
        for (JsonNode item : value) {
            if (!item.isString()) throw UnreadableJob.retry(name, "retry '%s' must hold strings only".formatted(name));
            strings.add(Json.text(item));
        }
        return strings;
    }

    private static boolean onExhaustion(String name, JsonNode value) throws UnreadableJob {
        String text = value.isString() ? value.stringValue() : "";
        return switch (text) {
            case "dead_letter" -> true;
            case "discard" -> false;
            default -> throw UnreadableJob.retry(name, "retry 'on_exhaustion' must be discard or dead_letter");
        };
    }
}
