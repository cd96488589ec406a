package io.floodgate.topics.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.floodgate.topics.JobId;
import io.floodgate.topics.Slot;
import io.floodgate.topics.retry.RetryPolicy.Intervals;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RetryPolicyTest {
    private static final JobId JOB =
            JobId.parse("019539a4-b68c-7def-8000-1a2b3c4d5e6f").orElseThrow();

    private static RetryPolicy policy(
            Backoff backoff, double coefficient, Duration initial, Duration max, boolean jitter) {
        return new RetryPolicy(99, new Intervals(initial, max, coefficient, backoff, jitter), List.of(), true);
    }

    private static List<Long> secondsAfter(RetryPolicy policy, int attempts) {
        return IntStream.rangeClosed(1, attempts)
                .mapToObj(attempt -> policy.delayAfter(attempt, JOB).toSeconds())
                .toList();
    }

    @Test
    void constant_waits_the_same_every_time() {
        assertThat(secondsAfter(policy(Backoff.CONSTANT, 2, ofSeconds(5), ofMinutes(5), false), 4))
                .containsExactly(5L, 5L, 5L, 5L);
    }

    @Test
    void linear_waits_one_interval_longer_every_time() {
        assertThat(secondsAfter(policy(Backoff.LINEAR, 2, ofSeconds(5), ofMinutes(5), false), 4))
                .containsExactly(5L, 10L, 15L, 20L);
    }

    @Test
    void exponential_multiplies() {
        assertThat(secondsAfter(policy(Backoff.EXPONENTIAL, 3, ofSeconds(1), ofMinutes(5), false), 7))
                .containsExactly(1L, 3L, 9L, 27L, 81L, 243L, 300L);
    }

    @Test
    void polynomial_is_a_power_of_the_attempt() {
        assertThat(secondsAfter(policy(Backoff.POLYNOMIAL, 4, ofSeconds(1), ofMinutes(5), false), 6))
                .containsExactly(1L, 16L, 81L, 256L, 300L, 300L);
    }

    @Test
    void the_default_is_that_of_the_specification_and_keeps_what_is_dead() {
        assertThat(RetryPolicy.DEFAULT)
                .isEqualTo(new RetryPolicy(
                        3, new Intervals(ofSeconds(1), ofMinutes(5), 2, Backoff.EXPONENTIAL, true), List.of(), true));
    }

    @ParameterizedTest
    @EnumSource(Backoff.class)
    void however_often_it_failed_no_delay_overflows_or_exceeds_the_longest(Backoff backoff) {
        for (double coefficient : new double[] {1, 2, 10, 1e6})
            for (Duration initial : List.of(Duration.ZERO, ofMillis(1), ofSeconds(1), ofMinutes(5)))
                for (int attempt : new int[] {1, 2, 63, 64, 65, 310, 1_024, 1_100, 100_000, Integer.MAX_VALUE}) {
                    for (boolean jitter : new boolean[] {true, false})
                        assertThat(policy(backoff, coefficient, initial, ofMinutes(5), jitter)
                                        .delayAfter(attempt, JOB))
                                .isBetween(Duration.ZERO, ofMinutes(5));
                    if (backoff != Backoff.CONSTANT && attempt > 1_000_000 && coefficient > 1 && !initial.isZero())
                        assertThat(policy(backoff, coefficient, initial, ofMinutes(5), false)
                                        .delayAfter(attempt, JOB))
                                .isEqualTo(ofMinutes(5));
                }
    }

    @Test
    void an_interval_of_zero_stays_zero() {
        assertThat(policy(Backoff.EXPONENTIAL, 2, Duration.ZERO, ofMinutes(5), true)
                        .delayAfter(5_000, JOB))
                .isZero();
    }

    @Test
    void jitter_lies_from_a_half_to_one_and_a_half_and_is_even() {
        RetryPolicy policy = policy(Backoff.CONSTANT, 1, ofSeconds(100), ofMinutes(60), true);
        int[] buckets = new int[10];
        int draws = 100_000;
        double sum = 0;
        for (JobId job : ids(draws / 5))
            for (int attempt = 1; attempt <= 5; attempt++) {
                long millis = policy.delayAfter(attempt, job).toMillis();
                assertThat(millis).isBetween(50_000L, 149_999L);
                buckets[(int) ((millis - 50_000) / 10_000)]++;
                sum += millis;
            }
        assertThat(sum / draws).isCloseTo(100_000, within(500.0));
        // Chi-squared with 9 degrees of freedom: 27.9 is passed once in a thousand times.
        double expected = draws / 10.0;
        double chi = IntStream.of(buckets)
                .mapToDouble(n -> (n - expected) * (n - expected) / expected)
                .sum();
        assertThat(chi).isLessThan(27.9);
    }

    @Test
    void jitter_differs_from_attempt_to_attempt_and_from_job_to_job() {
        RetryPolicy policy = policy(Backoff.CONSTANT, 1, ofMinutes(60), ofMinutes(120), true);
        Set<Duration> delays = new HashSet<>();
        for (JobId job : ids(100))
            for (int attempt = 1; attempt <= 10; attempt++) delays.add(policy.delayAfter(attempt, job));
        assertThat(delays).hasSizeGreaterThan(990);
    }

    @Test
    void a_replay_waits_just_as_long() {
        RetryPolicy policy = policy(Backoff.EXPONENTIAL, 2, ofSeconds(1), ofMinutes(5), true);
        assertThat(policy.delayAfter(1, JOB))
                .isEqualTo(policy.delayAfter(1, JOB))
                .isEqualTo(ofMillis(1_442));
        assertThat(policy.delayAfter(2, JOB)).isEqualTo(ofMillis(2_843));
    }

    @Test
    void the_longest_interval_holds_before_jitter_and_after_it() {
        RetryPolicy policy = policy(Backoff.EXPONENTIAL, 10, ofSeconds(10), ofSeconds(100), true);
        boolean cut = false;
        boolean shortened = false;
        for (JobId job : ids(1_000)) {
            Duration delay = policy.delayAfter(9, job);
            assertThat(delay).isBetween(ofSeconds(50), ofSeconds(100));
            cut |= delay.equals(ofSeconds(100));
            shortened |= delay.compareTo(ofSeconds(60)) < 0;
        }
        assertThat(cut).isTrue();
        assertThat(shortened).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 1, false", "1, 1, false", "2, 1, true", "3, 2, true", "3, 3, false", "3, 4, false"})
    void attempts_include_the_first(int maxAttempts, int attempt, boolean again) {
        RetryPolicy policy = new RetryPolicy(maxAttempts, RetryPolicy.DEFAULT.intervals(), List.of(), true);
        assertThat(policy.allowsRetryAfter(attempt)).isEqualTo(again);
    }

    @ParameterizedTest
    @CsvSource({
        "validation.payload_invalid, true",
        "validation.schema_error, false",
        "validation, false",
        "auth.token_expired, true",
        "auth.a.b, true",
        "auth., true",
        "auth, false",
        "authx.y, false",
        "external.auth.failure, false",
        "AUTH.token, false",
        "'', false",
    })
    void an_error_is_ruled_out_by_its_name_or_a_prefix_that_ends_in_a_star(String type, boolean ruledOut) {
        RetryPolicy policy = new RetryPolicy(
                3, RetryPolicy.DEFAULT.intervals(), List.of("validation.payload_invalid", "auth.*"), true);
        assertThat(policy.rulesOut(type)).isEqualTo(ruledOut);
    }

    @Test
    void a_star_alone_or_within_is_a_name_like_any_other() {
        RetryPolicy policy = new RetryPolicy(3, RetryPolicy.DEFAULT.intervals(), List.of("*", "a*", "b.*.c"), true);
        assertThat(policy.rulesOut("*")).isTrue();
        assertThat(policy.rulesOut("x")).isFalse();
        assertThat(policy.rulesOut("ab")).isFalse();
        assertThat(policy.rulesOut("b.x.c")).isFalse();
    }

    @Test
    void is_written_whole_with_iso_durations() {
        io.floodgate.topics.json.JsonOut out = new io.floodgate.topics.json.JsonOut();
        RetryPolicy.DEFAULT.write(out);
        assertThat(out)
                .hasToString("{\"max_attempts\":3,\"initial_interval\":\"PT1S\",\"backoff_coefficient\":2.0,"
                        + "\"backoff_strategy\":\"exponential\",\"max_interval\":\"PT5M\",\"jitter\":true,"
                        + "\"non_retryable_errors\":[],\"on_exhaustion\":\"dead_letter\"}");
    }

    private static List<JobId> ids(int count) {
        Random random = new Random(17);
        // As a burst has them: one queue, one millisecond or two.
        return IntStream.range(0, count)
                .mapToObj(i -> JobId.make(Slot.of("default"), 1_770_000_000_000L + i / 1_000, random.nextLong()))
                .toList();
    }
}
