package io.floodgate.topics.retry;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Excerpt;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Members;
import io.floodgate.topics.json.NearestName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads {@link RetryOptions}, field by field, and says which one is wrong. */
final class RetryReader {
    private @Nullable Integer maxAttempts;
    private @Nullable Duration initial;
    private @Nullable Duration max;
    private @Nullable Double coefficient;
    private @Nullable Backoff backoff;
    private @Nullable Boolean jitter;
    private @Nullable List<String> nonRetryableErrors;
    private @Nullable Boolean deadLetter;

    RetryOptions read(Members retry) throws UnreadableRetry {
        for (String name : retry.names()) {
            JsonNode value = retry.value(name);
            if (value != null) set(name, value);
        }
        RetryOptions options = new RetryOptions(
                maxAttempts, initial, max, coefficient, backoff, jitter, nonRetryableErrors, deadLetter);
        RetryPolicy.Intervals whole = options.over(RetryPolicy.DEFAULT).intervals();
        if (whole.max().compareTo(whole.initial()) < 0)
            throw new UnreadableRetry(
                    "max_interval", "retry 'max_interval' must not be shorter than 'initial_interval'");
        return options;
    }

    static Optional<String> nameOf(String spelled) {
        return Optional.ofNullable(
                switch (spelled) {
                    case "max_attempts", "maxAttempts" -> "max_attempts";
                    case "initial_interval", "initialInterval", "initial_interval_ms" -> "initial_interval";
                    case "max_interval", "maxInterval", "max_interval_ms" -> "max_interval";
                    case "backoff_coefficient", "backoffCoefficient" -> "backoff_coefficient";
                    case "backoff_type", "backoff_strategy", "backoff", "backoffStrategy" -> "backoff_strategy";
                    case "jitter" -> "jitter";
                    case "non_retryable_errors", "nonRetryableErrors" -> "non_retryable_errors";
                    case "on_exhaustion", "onExhaustion" -> "on_exhaustion";
                    default -> null;
                });
    }

    private void set(String name, JsonNode value) throws UnreadableRetry {
        switch (nameOf(name).orElse("")) {
            case "max_attempts" -> maxAttempts = maxAttempts(value);
            case "initial_interval" -> initial = interval(name, value);
            case "max_interval" -> max = interval(name, value);
            case "backoff_coefficient" -> coefficient = coefficient(name, value);
            case "backoff_strategy" -> backoff = backoff(name, value);
            case "jitter" -> jitter = bool(name, value);
            case "non_retryable_errors" -> nonRetryableErrors = strings(name, value);
            case "on_exhaustion" -> deadLetter = onExhaustion(name, value);
            default -> checkExtension(name);
        }
    }

    /** The schema of a retry policy has no other fields (OJS retry): a misspelled one would change how often a job runs. */
    private static void checkExtension(String name) throws UnreadableRetry {
        if (name.startsWith("x_") || name.startsWith("ext_")) return;
        throw new UnreadableRetry(
                Excerpt.of(name),
                "There is no field '%s' in a retry policy.%s"
                        .formatted(Excerpt.of(name), NearestName.meant(name, RetryOptions.NAMES)));
    }

    private static Duration interval(String name, JsonNode value) throws UnreadableRetry {
        return name.endsWith("_ms") ? millis(name, value) : duration(name, value);
    }

    static int maxAttempts(JsonNode value) throws UnreadableRetry {
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0)
            throw new UnreadableRetry("max_attempts", "retry 'max_attempts' must be an integer of 0 or more");
        return value.intValue();
    }

    private static Duration duration(String name, JsonNode value) throws UnreadableRetry {
        Optional<Duration> duration = value.isString() ? Durations.parse(value.stringValue()) : Optional.empty();
        // To the millisecond, as it is written.
        return duration.map(d -> Duration.ofMillis(d.toMillis()))
                .orElseThrow(() -> new UnreadableRetry(
                        name, "retry '%s' must be an ISO 8601 duration such as PT1S".formatted(name)));
    }

    private static Duration millis(String name, JsonNode value) throws UnreadableRetry {
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < 0
                || value.longValue() > Durations.LONGEST.toMillis())
            throw new UnreadableRetry(name, "retry '%s' must be a number of milliseconds".formatted(name));
        return Duration.ofMillis(value.longValue());
    }

    private static double coefficient(String name, JsonNode value) throws UnreadableRetry {
        double coefficient = value.isNumber() ? value.doubleValue(0) : 0;
        if (coefficient < 1 || coefficient > 1e6)
            throw new UnreadableRetry(name, "retry '%s' must be a number from 1 to 1000000".formatted(name));
        return coefficient;
    }

    private static Backoff backoff(String name, JsonNode value) throws UnreadableRetry {
        Optional<Backoff> backoff = value.isString() ? Backoff.parse(value.stringValue()) : Optional.empty();
        return backoff.orElseThrow(() -> new UnreadableRetry(
                name, "retry '%s' must be none, constant, linear, exponential or polynomial".formatted(name)));
    }

    private static boolean bool(String name, JsonNode value) throws UnreadableRetry {
        if (!value.isBoolean()) throw new UnreadableRetry(name, "retry '%s' must be true or false".formatted(name));
        return value.booleanValue();
    }

    private static List<String> strings(String name, JsonNode value) throws UnreadableRetry {
        if (!value.isArray() || value.size() > 1_000)
            throw new UnreadableRetry(name, "retry '%s' must be a list of error types".formatted(name));
        List<String> strings = new ArrayList<>();
        int bytes = 0;
        for (JsonNode item : value) {
            if (!item.isString()) throw new UnreadableRetry(name, "retry '%s' must hold strings only".formatted(name));
            String text = Json.text(item);
            if (text.length() > RetryOptions.MAX_ERROR_CHARS)
                throw new UnreadableRetry(
                        name,
                        "retry '%s' must hold error types of at most %d characters, not %d"
                                .formatted(name, RetryOptions.MAX_ERROR_CHARS, text.length()));
            strings.add(text);
            bytes += text.getBytes(UTF_8).length;
        }
        if (bytes > RetryOptions.MAX_ERROR_BYTES)
            throw new UnreadableRetry(
                    name,
                    "retry '%s' must have at most %d bytes, not %d"
                            .formatted(name, RetryOptions.MAX_ERROR_BYTES, bytes));
        return strings;
    }

    private static boolean onExhaustion(String name, JsonNode value) throws UnreadableRetry {
        String text = value.isString() ? value.stringValue() : "";
        return switch (text) {
            case "dead_letter" -> true;
            case "discard" -> false;
            default -> throw new UnreadableRetry(name, "retry 'on_exhaustion' must be discard or dead_letter");
        };
    }
}
