package io.floodgate.verification.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import io.floodgate.verification.crash.CrashReport.Claim;
import io.floodgate.verification.history.StartsJudge;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The judge finds what is broken, and nothing else. */
final class StartsJudgeTest {
    private static final Allowance TEN_A_SECOND = rate(10, Duration.ofSeconds(1));
    private static final Allowance EVERY_50_MS = throttle(20);
    private static final Allowance EVERY_10_MS = throttle(100);

    private static Allowance rate(long starts, Duration period) {
        return new Allowance(null, new Pace(starts, period), null);
    }

    private static Allowance throttle(long starts) {
        return new Allowance(null, null, new Pace(starts, Duration.ofSeconds(1)));
    }

    private static long[] every(long ms, int starts) {
        return LongStream.range(0, starts).map(i -> 1_000 + i * ms).toArray();
    }

    @Test
    void a_rate_may_be_used_up_at_once_and_again_one_period_later() {
        long[] starts = LongStream.range(0, 20).map(i -> i < 10 ? 5 : 1_005).toArray();

        assertThat(StartsJudge.violations(TEN_A_SECOND, false, starts)).isEmpty();
    }

    @Test
    void one_start_too_many_is_found_wherever_the_period_begins() {
        long[] starts = LongStream.range(0, 11).map(i -> i < 6 ? 700 : 1_699).toArray();

        assertThat(StartsJudge.violations(TEN_A_SECOND, false, starts))
                .containsExactly("11 starts within 1000 ms, 10 permitted");
    }

    @Test
    void starts_are_judged_in_any_order() {
        long[] starts = LongStream.range(0, 11).map(i -> 1_000 - i).toArray();

        assertThat(StartsJudge.violations(TEN_A_SECOND, false, starts)).hasSize(1);
    }

    @Test
    void even_starts_keep_to_a_throttle() {
        assertThat(StartsJudge.violations(EVERY_50_MS, true, every(50, 40))).isEmpty();
        assertThat(StartsJudge.violations(EVERY_10_MS, false, every(10, 200))).isEmpty();
    }

    @Test
    void two_starts_under_a_throttle_in_one_partition_are_no_closer_than_nine_tenths_of_the_spacing() {
        assertThat(StartsJudge.violations(EVERY_50_MS, true, new long[] {0, 45}))
                .isEmpty();
        assertThat(StartsJudge.violations(EVERY_50_MS, true, new long[] {0, 43}))
                .containsExactly("two starts 43 ms apart, 45000 us required");
    }

    @Test
    void two_starts_under_a_throttle_in_several_partitions_are_no_closer_than_half_of_the_spacing() {
        assertThat(StartsJudge.violations(EVERY_50_MS, false, new long[] {0, 25, 100}))
                .isEmpty();
        assertThat(StartsJudge.violations(EVERY_50_MS, false, new long[] {0, 100, 123}))
                .containsExactly("two starts 23 ms apart, 25000 us required");
    }

    @Test
    void starts_that_run_ahead_of_a_throttle_bit_by_bit_are_found() {
        assertThat(StartsJudge.violations(EVERY_50_MS, false, every(45, 9))).isEmpty();
        assertThat(StartsJudge.violations(EVERY_50_MS, false, every(45, 13)))
                .anyMatch(text -> text.contains("n + 1 starts"));
    }

    @Test
    void one_late_start_may_be_followed_by_the_next_one_in_time() {
        assertThat(StartsJudge.violations(EVERY_50_MS, false, new long[] {0, 50, 120, 150, 200}))
                .isEmpty();
    }

    @Test
    void short_spacings_are_judged_by_what_250_ms_hold() {
        long[] permitted = LongStream.range(0, 26).map(i -> 0).toArray();
        long[] tooMany = LongStream.range(0, 27).map(i -> i * 9).toArray();

        assertThat(StartsJudge.violations(EVERY_10_MS, false, permitted)).isEmpty();
        assertThat(StartsJudge.violations(EVERY_10_MS, false, tooMany))
                .containsExactly("27 starts within 250 ms, 26 permitted");
    }

    @Test
    void what_is_delivered_is_counted_in_whole_periods_from_the_first_start() {
        assertThat(StartsJudge.delivered(TEN_A_SECOND, every(100, 100), 1_000, 11_000))
                .isEqualTo(1);
        assertThat(StartsJudge.delivered(TEN_A_SECOND, every(200, 50), 1_000, 11_000))
                .isEqualTo(0.5);
        long[] bursts = LongStream.range(0, 50).map(i -> 1_900 + i / 10 * 1_000).toArray();
        assertThat(StartsJudge.delivered(TEN_A_SECOND, bursts, 1_000, 6_800)).isEqualTo(1);
        assertThat(StartsJudge.delivered(EVERY_50_MS, every(100, 100), 3_000, 9_000))
                .isEqualTo(0.5);
    }

    @Test
    void nothing_is_delivered_where_nothing_starts() {
        assertThat(StartsJudge.delivered(TEN_A_SECOND, every(100, 10), 5_000, 9_000))
                .isZero();
    }

    @Test
    void what_is_delivered_and_how_late_answers_are_is_judged_only_when_nothing_was_killed() {
        long[] halfOfIt = every(200, 50);
        assertThat(broken(halfOfIt, true, 1)).containsExactly("at least 95% of each limit is delivered");
        assertThat(broken(every(100, 100), true, 80)).containsExactly("started_at is at most 50 ms old at p99");
        assertThat(broken(halfOfIt, false, 80)).isEmpty();
        assertThat(broken(every(50, 100), false, 1)).containsExactly("no key has more starts than its limit permits");
    }

    private static List<String> broken(long[] starts, boolean undisturbed, long age) {
        LimitsReport report = new LimitsReport(new PrintStream(OutputStream.nullOutputStream()));
        report.add(new LimitedKey("ten", TEN_A_SECOND, Duration.ZERO), false, starts, 1_000, 11_000);
        return report.end(undisturbed, new long[] {1, age}).claims().stream()
                .filter(claim -> !claim.broken().isEmpty())
                .map(Claim::claim)
                .toList();
    }
}
