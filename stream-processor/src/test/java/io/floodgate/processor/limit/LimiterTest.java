package io.floodgate.processor.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.simulation.Seeds;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("search")
class LimiterTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private static Allowance rate(long starts, Duration period) {
        return new Allowance(null, new Pace(starts, period), null);
    }

    private static Allowance throttle(long starts, Duration period) {
        return new Allowance(null, null, new Pace(starts, period));
    }

    /** Starts as much as may be, at random times, with pauses; when, in milliseconds. */
    private static List<Long> greedy(Allowance allowance, long seed, Duration time, int longestPause) {
        Random random = new Random(seed);
        Limiter limiter = new Limiter();
        List<Long> starts = new ArrayList<>();
        for (Instant now = START;
                now.isBefore(START.plus(time));
                now = now.plusMillis(1 + random.nextInt(longestPause))) {
            for (int room = limiter.room(allowance, 0, now); room > 0; room = limiter.room(allowance, 0, now)) {
                limiter.start(allowance, room, now);
                for (int i = 0; i < room; i++) starts.add(now.toEpochMilli());
            }
            limiter.awaited(true, now);
        }
        return starts;
    }

    /** A permit somewhere else: when a job starts on it (never, if it goes back), and when that is reported. */
    private record Away(long date, long start, long report) {
        boolean isUsed() {
            return start > 0;
        }
    }

    /** Others have the permits, use them some time later, or not, and tell of it later still, or never. */
    private static List<Long> elsewhere(Allowance allowance, long seed, Duration time, int slowest) {
        Random random = new Random(seed);
        Limiter limiter = new Limiter();
        List<Long> starts = new ArrayList<>();
        Queue<Away> away = new PriorityQueue<>(Comparator.comparingLong(Away::report));
        Duration longest =
                allowance.rate() == null ? Duration.ZERO : allowance.rate().period();
        for (Instant now = START; now.isBefore(START.plus(time)); now = now.plusMillis(1)) {
            long millis = now.toEpochMilli();
            while (!away.isEmpty() && away.element().report <= millis) {
                Away permit = away.remove();
                if (permit.isUsed()) limiter.started(allowance, permit.date, permit.start, 1, Limiter.ANYWHERE);
                else limiter.putBack(allowance, permit.date);
            }
            if (random.nextInt(4) > 0) continue;
            limiter.tidy(allowance, longest, now);
            int room = limiter.room(allowance, 0, now, Limiter.AHEAD_MS, Limiter.ANYWHERE);
            limiter.awaited(true, now);
            if (room == 0) continue;
            Permits permits = limiter.take(allowance, Math.min(room, 1 + random.nextInt(room)), now);
            for (int i = 0; i < permits.count(); i++) {
                long start = Math.max(millis + random.nextInt(slowest), permits.date());
                boolean used = start <= permits.until() && random.nextInt(10) > 0;
                if (used) starts.add(start);
                boolean isLost = random.nextInt(50) == 0;
                if (!isLost) away.add(new Away(permits.date(), used ? start : 0, start + random.nextInt(slowest)));
            }
        }
        return starts.stream().sorted().toList();
    }

    private static void assertAtMost(int limit, long periodMillis, List<Long> starts) {
        for (int i = limit; i < starts.size(); i++)
            assertThat(starts.get(i) - starts.get(i - limit))
                    .as("starts %d and %d", i - limit, i)
                    .isGreaterThanOrEqualTo(periodMillis);
    }

    private static void assertSpaced(long spacingMillis, List<Long> starts) {
        for (int i = 1; i < starts.size(); i++)
            assertThat((starts.get(i) - starts.get(i - 1)) * 10)
                    .as("start %d", i)
                    .isGreaterThanOrEqualTo(spacingMillis * 9);
        for (int n = 1; n < 100; n++)
            for (int i = n + 1; i < starts.size(); i++)
                assertThat(starts.get(i) - starts.get(i - n - 1))
                        .as("%d starts up to %d", n + 2, i)
                        .isGreaterThanOrEqualTo(n * spacingMillis);
    }

    /** For {@link #elsewhere}: a high rate has as many starts in ten periods as others have in many more. */
    private static Duration time(int limit) {
        return Duration.ofSeconds(limit >= 5_000 ? 10 : 40);
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "3,1000", "100,1000", "1024,1000", "5000,1000", "1500,10000", "7,50"})
    void no_interval_of_one_period_has_more_starts_than_the_rate(int limit, int periodMillis) {
        Seeds.run(
                5,
                seed -> assertAtMost(
                        limit,
                        periodMillis,
                        greedy(rate(limit, Duration.ofMillis(periodMillis)), seed, Duration.ofSeconds(40), 20)));
    }

    @ParameterizedTest
    @CsvSource({"1,1000,300", "3,1000,40", "10,1000,7000", "100,1000,300", "5000,1000,20", "40,4000,900", "7,50,40"})
    void nor_has_any_though_permits_are_used_elsewhere_and_later(int limit, int periodMillis, int slowest) {
        Seeds.run(
                5,
                seed -> assertAtMost(
                        limit,
                        periodMillis,
                        elsewhere(rate(limit, Duration.ofMillis(periodMillis)), seed, time(limit), slowest)));
    }

    @ParameterizedTest
    @CsvSource({"4,10", "9,10", "10,10", "2000,3000"})
    void a_throttle_does_not_make_a_rate_wider(int rate, int throttle) {
        Allowance both =
                new Allowance(null, new Pace(rate, Duration.ofSeconds(1)), new Pace(throttle, Duration.ofSeconds(1)));
        Seeds.run(5, seed -> assertAtMost(rate, 1_000, greedy(both, seed, Duration.ofSeconds(40), 20)));
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "100,1000", "5000,1000", "100000,60000"})
    void nearly_all_of_a_rate_can_be_used(int limit, int periodMillis) {
        Duration time = Duration.ofMillis(periodMillis * 20L);
        List<Long> starts = greedy(rate(limit, Duration.ofMillis(periodMillis)), 1, time, 3);
        assertThat((double) starts.size()).isGreaterThan(0.97 * 20 * limit);
    }

    @ParameterizedTest
    @CsvSource({"10,1000,20", "100,1000,20", "40,4000,50", "5000,1000,10"})
    void nearly_all_of_it_can_be_used_elsewhere(int limit, int periodMillis, int slowest) {
        Duration time = time(limit);
        List<Long> starts = elsewhere(rate(limit, Duration.ofMillis(periodMillis)), 1, time, slowest);
        // One permit in 50 is not heard of again, and counts for as long as it might be used.
        assertThat((double) starts.size()).isGreaterThan(0.8 * limit * time.toMillis() / periodMillis);
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "3,1000", "20,1000", "50,1000", "10,60000"})
    void starts_under_a_throttle_are_spaced_and_nearly_all_can_be_used(int limit, int periodMillis) {
        Duration time = Duration.ofMillis(periodMillis * 20L);
        List<Long> starts = greedy(throttle(limit, Duration.ofMillis(periodMillis)), 1, time, 5);
        assertSpaced(periodMillis / limit, starts);
        assertThat((double) starts.size()).isGreaterThan(0.95 * 20 * limit);
    }

    @ParameterizedTest
    @CsvSource({"1,300", "20,10", "20,60", "50,10", "3,7000"})
    void they_are_though_they_start_elsewhere_and_later(int limit, int slowest) {
        Seeds.run(
                5,
                seed -> assertSpaced(
                        1_000 / limit,
                        elsewhere(throttle(limit, Duration.ofSeconds(1)), seed, Duration.ofSeconds(60), slowest)));
    }

    @Test
    void in_another_partition_a_start_that_was_late_is_made_up_for() {
        Allowance allowance = throttle(10, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        Permits permit = limiter.take(allowance, 1, START, 1);
        limiter.started(allowance, permit.date(), START.plusMillis(40).toEpochMilli(), 1, 1);
        Instant now = START.plusMillis(41);
        assertThat(limiter.room(allowance, 0, now, 60, 1)).isZero();
        assertThat(limiter.room(allowance, 0, now, 60, 2)).isEqualTo(1);
        assertThat(limiter.take(allowance, 1, now, 2).date())
                .isEqualTo(START.plusMillis(100).toEpochMilli());
    }

    @ParameterizedTest
    @CsvSource({"100,10", "300,15", "1000,5", "5000,5"})
    void short_spacings_are_kept_on_average(int limit, int longestPause) {
        Seeds.run(5, seed -> {
            Duration time = Duration.ofSeconds(20);
            List<Long> starts = greedy(throttle(limit, Duration.ofSeconds(1)), seed, time, longestPause);
            assertAtMost(limit / 4 + 1, 250, starts);
            assertThat((double) starts.size()).isGreaterThan(0.95 * 20 * limit);
        });
    }

    @ParameterizedTest
    @CsvSource({"100,10", "100,200", "300,30"})
    void they_are_though_jobs_start_elsewhere_and_later(int limit, int slowest) {
        Seeds.run(
                5,
                seed -> assertAtMost(
                        limit / 4 + 1,
                        250,
                        elsewhere(throttle(limit, Duration.ofSeconds(1)), seed, Duration.ofSeconds(40), slowest)));
    }

    @Test
    void a_throttle_does_not_save_up_what_was_not_used() {
        Allowance allowance = throttle(10, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        limiter.start(allowance, 1, START);
        assertThat(limiter.room(allowance, 0, START.plusMillis(99))).isZero();
        assertThat(limiter.room(allowance, 0, START.plusMillis(100))).isEqualTo(1);
        assertThat(limiter.room(allowance, 0, START.plusSeconds(60))).isEqualTo(1);
    }

    @Test
    void a_short_throttle_makes_up_for_dates_that_a_client_waited_for() {
        Allowance allowance = throttle(100, Duration.ofSeconds(1));
        assertThat(taken(allowance, 50, true)).isBetween(990, 1_010);
        assertThat(taken(allowance, 50, false)).isLessThan(400);
        assertThat(taken(allowance, 400, true)).isLessThan(500);
    }

    /** How many are taken in ten seconds of which each tick is this late. */
    private static int taken(Allowance allowance, int lateMillis, boolean awaited) {
        Limiter limiter = new Limiter();
        int taken = 0;
        for (Instant now = START; now.isBefore(START.plusSeconds(10)); now = now.plusMillis(lateMillis)) {
            for (int room = limiter.room(allowance, 0, now); room > 0; room = limiter.room(allowance, 0, now)) {
                limiter.start(allowance, 1, now);
                limiter.awaited(false, now);
                taken++;
            }
            limiter.awaited(awaited, now);
        }
        return taken;
    }

    @Test
    void what_is_not_heard_of_counts_at_its_latest_possible_time_and_then_when_it_was() {
        Allowance allowance = rate(1, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        Permits permit = limiter.take(allowance, 1, START);
        assertThat(permit.until()).isEqualTo(START.plusMillis(Limiter.USABLE_MS).toEpochMilli());
        Instant silence = START.plusMillis(Limiter.USABLE_MS + 999);
        limiter.tidy(allowance, Duration.ofSeconds(1), silence);
        assertThat(limiter.room(allowance, 0, silence)).isZero();
        assertThat(limiter.room(allowance, 0, silence.plusMillis(1))).isEqualTo(1);
        limiter.started(allowance, permit.date(), permit.date() + 7, 1, Limiter.ANYWHERE);
        assertThat(limiter.room(allowance, 0, silence)).isEqualTo(1);
        assertThat(limiter.room(allowance, 0, START.plusMillis(1_006))).isZero();
    }

    @Test
    void a_throttle_that_is_made_faster_is_in_force_at_once() {
        Limiter limiter = new Limiter();
        limiter.start(throttle(1, Duration.ofHours(1)), 1, START);
        Instant now = START.plusMillis(50);
        assertThat(limiter.nextAt(new Pace(1, Duration.ofHours(1)), now)).isEqualTo(START.plusSeconds(3_600));
        assertThat(limiter.room(throttle(10, Duration.ofSeconds(1)), 0, now)).isZero();
        assertThat(limiter.nextAt(new Pace(10, Duration.ofSeconds(1)), now)).isEqualTo(START.plusMillis(100));
        assertThat(limiter.room(throttle(10, Duration.ofSeconds(1)), 0, START.plusMillis(100)))
                .isEqualTo(1);
        assertThat(limiter.room(throttle(1_000, Duration.ofSeconds(1)), 0, START.plusMillis(1)))
                .isEqualTo(1);
    }

    @Test
    void a_throttle_that_is_made_slower_is_in_force_at_once() {
        Limiter limiter = new Limiter();
        limiter.start(throttle(10, Duration.ofSeconds(1)), 1, START);
        assertThat(limiter.room(throttle(1, Duration.ofSeconds(1)), 0, START.plusMillis(899)))
                .isZero();
    }

    @Test
    void what_was_frozen_can_start_again_at_once() {
        Allowance allowance = rate(10, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        limiter.freeze(START.plusSeconds(600));
        assertThat(limiter.room(allowance, 0, START)).isZero();
        limiter.unfreeze();
        assertThat(limiter.room(allowance, 0, START)).isEqualTo(10);
    }

    @Test
    void says_what_holds_back_and_until_when() {
        Allowance allowance = new Allowance(5L, new Pace(2, Duration.ofMinutes(1)), new Pace(1, Duration.ofSeconds(1)));
        Limiter limiter = new Limiter();
        assertThat(limiter.held(allowance, 0, START)).isNull();
        limiter.start(allowance, 1, START);
        assertThat(limiter.held(allowance, 1, START))
                .isEqualTo(new Held(Strategy.THROTTLE, 1, 1, START.plusSeconds(1)));
        limiter.start(allowance, 1, START.plusSeconds(1));
        assertThat(limiter.held(allowance, 2, START.plusSeconds(1)))
                .isEqualTo(new Held(Strategy.RATE, 2, 2, START.plusSeconds(60)));
        assertThat(limiter.held(allowance, 5, START)).isEqualTo(new Held(Strategy.CONCURRENCY, 5, 5, null));
        limiter.freeze(START.plusSeconds(600));
        assertThat(limiter.held(allowance, 0, START.plusSeconds(300)))
                .isEqualTo(new Held(Strategy.ADJUSTED, 0, 0, START.plusSeconds(600)));
        assertThat(limiter.room(allowance, 0, START.plusSeconds(599))).isZero();
        assertThat(limiter.room(allowance, 0, START.plusSeconds(600))).isEqualTo(1);
    }

    @Test
    void a_start_that_did_not_come_about_can_be_taken_by_another() {
        Allowance allowance = new Allowance(null, new Pace(1, Duration.ofHours(1)), new Pace(1, Duration.ofHours(1)));
        Limiter limiter = new Limiter();
        Permits permits = limiter.take(allowance, 1, START);
        assertThat(limiter.room(allowance, 0, START.plusSeconds(1))).isZero();
        limiter.putBack(allowance, permits.date());
        assertThat(limiter.room(allowance, 0, START.plusSeconds(1))).isEqualTo(1);
    }

    @Test
    void is_stored_and_read_alike() {
        Allowance allowance =
                new Allowance(null, new Pace(3, Duration.ofSeconds(1)), new Pace(7, Duration.ofSeconds(3)));
        Limiter limiter = new Limiter();
        limiter.start(allowance, 1, START);
        Permits permits = limiter.take(allowance, 1, START.plusMillis(450));
        limiter.freeze(START.plusSeconds(2));
        Limiter again = copy(limiter);
        for (Instant now = START; now.isBefore(START.plusSeconds(5)); now = now.plusMillis(50))
            assertThat(again.held(allowance, 0, now)).isEqualTo(limiter.held(allowance, 0, now));
        Instant later = START.plusSeconds(6);
        limiter.tidy(allowance, Duration.ofSeconds(1), later);
        again = copy(limiter);
        again.putBack(allowance, permits.date());
        limiter.putBack(allowance, permits.date());
        assertThat(again.count(new Pace(3, Duration.ofSeconds(1)), later))
                .isEqualTo(limiter.count(new Pace(3, Duration.ofSeconds(1)), later));
    }

    private static Limiter copy(Limiter limiter) {
        BinaryOut out = new BinaryOut();
        limiter.write(out);
        return Limiter.read(new BinaryIn(out.toBytes()));
    }
}
