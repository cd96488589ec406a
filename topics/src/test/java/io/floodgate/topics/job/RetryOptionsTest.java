package io.floodgate.topics.job;

import static io.floodgate.topics.job.Jobs.job;
import static io.floodgate.topics.job.Jobs.read;
import static io.floodgate.topics.job.Jobs.rejected;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.retry.Backoff;
import io.floodgate.topics.retry.RetryOptions;
import io.floodgate.topics.retry.RetryPolicy;
import io.floodgate.topics.retry.RetryPolicy.Intervals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryOptionsTest {
    private static final RetryPolicy OF_THE_QUEUE = new RetryPolicy(
            8, new Intervals(ofSeconds(10), ofMinutes(1), 1.5, Backoff.LINEAR, false), List.of("a.*"), false);

    private static RetryPolicy over(RetryPolicy base, String fields) {
        return read(job("\"retry\":{" + fields + "}")).terms().retry().over(base);
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 1_000_000})
    void error_types_have_a_length(int chars) {
        assertThat(over(OF_THE_QUEUE, "\"non_retryable_errors\":[\"" + "x".repeat(255) + "\"]")
                        .nonRetryableErrors())
                .hasSize(1);
        assertThatThrownBy(() -> read(job("\"retry\":{\"non_retryable_errors\":[\"" + "x".repeat(chars) + "\"]}")))
                .hasMessageContaining("at most 255 characters");
    }

    @Test
    void error_types_are_bounded_together_and_count_as_bytes_of_the_job() {
        String many = ("\"" + "x".repeat(255) + "\",").repeat(16) + "\"" + "x".repeat(16) + "\"";
        String fields = "\"retry\":{\"non_retryable_errors\":[" + many + "]}";
        assertThat(read(job(fields)).storedBytes())
                .isEqualTo(read(job("\"retry\":{}")).storedBytes() + 4_096);
        assertThatThrownBy(() -> read(job(fields.replace("]}", ",\"y\"]}")))).hasMessageContaining("4096 bytes");
    }

    @Test
    void nothing_said_leaves_the_policy_beneath() {
        assertThat(RetryOptions.NONE.over(OF_THE_QUEUE)).isEqualTo(OF_THE_QUEUE);
        assertThat(over(OF_THE_QUEUE, "")).isEqualTo(OF_THE_QUEUE);
        assertThat(over(OF_THE_QUEUE, "\"max_attempts\":null,\"jitter\":null")).isEqualTo(OF_THE_QUEUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"max_attempts\":5,\"initial_interval\":\"PT2S\",\"max_interval\":\"PT1H\",\"backoff_coefficient\":3,"
                        + "\"backoff_strategy\":\"polynomial\",\"jitter\":true,\"non_retryable_errors\":[\"b\"],\"on_exhaustion\":\"dead_letter\"",
                "\"maxAttempts\":5,\"initialInterval\":\"2s\",\"maxInterval\":\"1h\",\"backoffCoefficient\":3.0,"
                        + "\"backoffStrategy\":\"POLYNOMIAL\",\"jitter\":true,\"nonRetryableErrors\":[\"b\"],\"onExhaustion\":\"dead_letter\"",
                "\"max_attempts\":5,\"initial_interval_ms\":2000,\"max_interval_ms\":3600000,\"backoff_coefficient\":3e0,"
                        + "\"backoff_type\":\"polynomial\",\"jitter\":true,\"non_retryable_errors\":[\"b\"],\"on_exhaustion\":\"dead_letter\","
                        + "\"x_unknown\":{}"
            })
    void everything_said_covers_it_in_any_spelling(String fields) {
        assertThat(over(OF_THE_QUEUE, fields))
                .isEqualTo(new RetryPolicy(
                        5,
                        new Intervals(ofSeconds(2), ofMinutes(60), 3, Backoff.POLYNOMIAL, true),
                        List.of("b"),
                        true));
    }

    @Test
    void each_field_covers_itself_alone() {
        assertThat(over(OF_THE_QUEUE, "\"max_attempts\":0"))
                .isEqualTo(new RetryPolicy(0, OF_THE_QUEUE.intervals(), List.of("a.*"), false));
        assertThat(over(OF_THE_QUEUE, "\"on_exhaustion\":\"dead_letter\"").deadLetterOnExhaustion())
                .isTrue();
        assertThat(over(OF_THE_QUEUE, "\"non_retryable_errors\":[]").nonRetryableErrors())
                .isEmpty();
        assertThat(over(OF_THE_QUEUE, "\"jitter\":true").intervals())
                .isEqualTo(new Intervals(ofSeconds(10), ofMinutes(1), 1.5, Backoff.LINEAR, true));
        assertThat(over(OF_THE_QUEUE, "\"backoff\":\"none\"").intervals().backoff())
                .isEqualTo(Backoff.CONSTANT);
    }

    @Test
    void a_longer_first_interval_is_not_cut_by_a_longest_one_that_was_not_asked_for() {
        Intervals intervals =
                over(OF_THE_QUEUE, "\"initial_interval\":\"PT10M\"").intervals();
        assertThat(intervals.initial()).isEqualTo(ofMinutes(10));
        assertThat(intervals.max()).isEqualTo(ofMinutes(10));
    }

    @ParameterizedTest
    @CsvSource({
        "none, CONSTANT",
        "constant, CONSTANT",
        "fixed, CONSTANT",
        "linear, LINEAR",
        "exponential, EXPONENTIAL",
        "Exponential, EXPONENTIAL",
        "polynomial, POLYNOMIAL"
    })
    void there_are_four_ways_for_delays_to_grow(String text, Backoff backoff) {
        for (String name : new String[] {"backoff_type", "backoff_strategy", "backoff"})
            assertThat(over(OF_THE_QUEUE, "\"%s\":\"%s\"".formatted(name, text))
                            .intervals()
                            .backoff())
                    .isEqualTo(backoff);
    }

    @Test
    void without_a_way_delays_grow_exponentially() {
        Intervals intervals =
                over(RetryPolicy.DEFAULT, "\"initial_interval\":\"PT0.1S\"").intervals();
        assertThat(intervals.backoff()).isEqualTo(Backoff.EXPONENTIAL);
        assertThat(intervals.initial()).isEqualTo(ofMillis(100));
    }

    @ParameterizedTest
    @Table("""
        max_attempts         | -1 | 1.5 | "3" | true | 4294967296
        initial_interval     | 1000 | "soon" | "-PT1S" | ""
        initial_interval_ms  | -1 | "1000"
        max_interval         | "P101Y" | true
        max_interval_ms      | 99999999999999
        backoff_coefficient  | 0.99 | 0 | -2 | "2" | 1e7 | 1e400
        backoffCoefficient   | 0.5
        backoff_type         | "quadratic"
        backoff_strategy     | 1
        backoff              | {}
        jitter               | "yes" | 1
        non_retryable_errors | "a" | [1]
        on_exhaustion        | "explode" | true
        max_atempts          | 3
        attempts             | 3
        """)
    void a_field_that_says_nothing_sensible_is_rejected_by_name(String name, String value) {
        rejected(job("\"retry\":{\"%s\":%s}".formatted(name, value)), ErrorCode.INVALID_RETRY_POLICY, name);
    }

    @Test
    void a_misspelled_field_is_named_with_the_nearest_one() {
        assertThat(Jobs.rejection(job("\"retry\":{\"max_atempts\":3}")).message())
                .endsWith("Did you mean 'max_attempts'?");
    }

    @Test
    void a_longest_interval_below_the_first_is_rejected() {
        rejected(
                job("\"retry\":{\"initial_interval\":\"PT10S\",\"max_interval\":\"PT5S\"}"),
                ErrorCode.INVALID_RETRY_POLICY,
                "max_interval");
        rejected(
                job("\"retry\":{\"max_interval_ms\":5,\"initial_interval_ms\":6}"),
                ErrorCode.INVALID_RETRY_POLICY,
                "max_interval");
        over(OF_THE_QUEUE, "\"initial_interval\":\"PT5S\",\"max_interval\":\"PT5S\"");
    }

    @Test
    void a_list_without_end_is_rejected() {
        String thousand = "\"a\"" + ",\"a\"".repeat(999);
        over(OF_THE_QUEUE, "\"non_retryable_errors\":[%s]".formatted(thousand));
        rejected(
                job("\"retry\":{\"non_retryable_errors\":[%s,\"a\"]}".formatted(thousand)),
                ErrorCode.INVALID_RETRY_POLICY,
                "non_retryable_errors");
    }
}
