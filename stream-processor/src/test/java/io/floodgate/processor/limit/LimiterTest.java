package io.floodgate.processor.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Held;
import io.floodgate.topics.limit.Pace;
import io.floodgate.topics.limit.Strategy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimiterTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private static Allowance rate(long starts, Duration period) {
        return new Allowance(null, new Pace(starts, period), null);
    }

    private static Allowance throttle(long starts, Duration period) {
        return new Allowance(null, null, new Pace(starts, period));
    }

    /** Takes as much as there is, at random times, with pauses; the dates of all starts, in microseconds. */
    private static List<Long> greedy(Allowance allowance, long seed, Duration time, int longestPause) {
        Random random = new Random(seed);
        Limiter limiter = new Limiter();
        List<Long> dates = new ArrayList<>();
        for (Instant now = START;
                now.isBefore(START.plus(time));
                now = now.plusMillis(1 + random.nextInt(longestPause))) {
            int room = limiter.room(allowance, 0, now);
            if (room == 0) continue;
            Permits permits = limiter.take(allowance, room, now);
            for (int i = 0; i < permits.count(); i++) dates.add(permits.date(i));
        }
        return dates;
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "3,1000", "100,1000", "1024,1000", "5000,1000", "1500,10000", "7,50"})
    void no_interval_of_one_period_has_more_starts_than_the_rate(int limit, int periodMillis) {
        for (long seed = 0; seed < 5; seed++) {
            List<Long> dates = greedy(rate(limit, Duration.ofMillis(periodMillis)), seed, Duration.ofSeconds(40), 20);
            for (int i = limit; i < dates.size(); i++)
                assertThat(dates.get(i) - dates.get(i - limit))
                        .as("starts %d and %d, seed %d", i - limit, i, seed)
                        .isGreaterThanOrEqualTo(periodMillis * 1_000L);
        }
    }

    @ParameterizedTest
    @CsvSource({"4,10", "9,10", "10,10", "2000,3000"})
    void a_date_that_a_throttle_missed_counts_in_the_window_too(int rate, int throttle) {
        Allowance both =
                new Allowance(null, new Pace(rate, Duration.ofSeconds(1)), new Pace(throttle, Duration.ofSeconds(1)));
        for (long seed = 0; seed < 5; seed++) {
            List<Long> dates = greedy(both, seed, Duration.ofSeconds(40), 20);
            for (int i = rate; i < dates.size(); i++)
                assertThat(dates.get(i) - dates.get(i - rate))
                        .as("starts %d and %d, seed %d", i - rate, i, seed)
                        .isGreaterThanOrEqualTo(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "100,1000", "5000,1000", "100000,60000"})
    void nearly_all_of_a_rate_can_be_used(int limit, int periodMillis) {
        Duration time = Duration.ofMillis(periodMillis * 20L);
        List<Long> dates = greedy(rate(limit, Duration.ofMillis(periodMillis)), 1, time, 3);
        assertThat((double) dates.size()).isGreaterThan(0.97 * 20 * limit);
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "3,1000", "100,1000", "5000,1000", "10,60000"})
    void starts_under_a_throttle_are_dated_evenly_and_nearly_all_can_be_used(int limit, int periodMillis) {
        Duration time = Duration.ofMillis(periodMillis * 20L);
        List<Long> dates = greedy(throttle(limit, Duration.ofMillis(periodMillis)), 1, time, 10);
        for (int i = 1; i < dates.size(); i++)
            assertThat((dates.get(i) - dates.get(i - 1)) * limit)
                    .as("start %d", i)
                    .isGreaterThanOrEqualTo(periodMillis * 1_000L);
        assertThat((double) dates.size()).isGreaterThan(0.95 * 20 * limit);
    }

    @Test
    void a_throttle_does_not_save_up_what_was_not_used() {
        Allowance allowance = throttle(10, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        limiter.take(allowance, 1, START);
        assertThat(limiter.room(allowance, 0, START.plusMillis(99))).isZero();
        assertThat(limiter.room(allowance, 0, START.plusMillis(100))).isEqualTo(1);
        assertThat(limiter.room(allowance, 0, START.plusSeconds(60))).isEqualTo(1);
    }

    @Test
    void a_throttle_makes_up_for_dates_that_somebody_waited_for() {
        Allowance allowance = throttle(100, Duration.ofSeconds(1));
        assertThat(taken(allowance, 120, true)).isBetween(990, 1_010);
        assertThat(taken(allowance, 120, false)).isLessThan(400);
        assertThat(taken(allowance, 400, true)).isLessThan(500);
    }

    /** How many are taken in ten seconds of which each tick is this late. */
    private static int taken(Allowance allowance, int lateMillis, boolean awaited) {
        Limiter limiter = new Limiter();
        int taken = 0;
        for (Instant now = START; now.isBefore(START.plusSeconds(10)); now = now.plusMillis(lateMillis)) {
            for (int room = limiter.room(allowance, 0, now); room > 0; room = limiter.room(allowance, 0, now)) {
                limiter.take(allowance, 1, now);
                limiter.awaited(false, now);
                taken++;
            }
            limiter.awaited(awaited, now);
        }
        return taken;
    }

    @Test
    void what_comes_late_does_not_make_all_that_follows_late() {
        assertThat(taken(rate(100, Duration.ofSeconds(1)), 100, true)).isBetween(990, 1_010);
        assertThat(taken(rate(5_000, Duration.ofSeconds(1)), 70, true)).isBetween(49_500, 50_500);
        assertThat(taken(rate(1, Duration.ofSeconds(1)), 130, true)).isBetween(10, 11);
    }

    @ParameterizedTest
    @CsvSource({"1,1000", "100,1000", "5000,1000", "7,50"})
    void no_interval_has_more_though_some_are_dated_back(int limit, int periodMillis) {
        Allowance allowance = rate(limit, Duration.ofMillis(periodMillis));
        Random random = new Random(limit);
        Limiter limiter = new Limiter();
        List<Long> dates = new ArrayList<>();
        for (Instant now = START; now.isBefore(START.plusSeconds(30)); now = now.plusMillis(1 + random.nextInt(200))) {
            int room = Math.min(limiter.room(allowance, 0, now), 1 + random.nextInt(200));
            if (room > 0) {
                Permits permits = limiter.take(allowance, room, now);
                for (int i = 0; i < permits.count(); i++) dates.add(permits.date(i));
            }
            limiter.awaited(random.nextInt(4) > 0, now);
            limiter.forgetBefore(now.minusMillis(periodMillis));
        }
        for (int i = limit; i < dates.size(); i++)
            assertThat(dates.get(i) - dates.get(i - limit))
                    .as("starts %d and %d", i - limit, i)
                    .isGreaterThanOrEqualTo(periodMillis * 1_000L);
    }

    @Test
    void what_was_waited_for_while_all_was_frozen_is_not_made_up_for() {
        Allowance allowance = throttle(100, Duration.ofSeconds(1));
        Limiter limiter = new Limiter();
        limiter.take(allowance, 1, START);
        limiter.awaited(true, START);
        limiter.freeze(START.plusMillis(100));
        assertThat(limiter.room(allowance, 0, START.plusMillis(100))).isEqualTo(1);
    }

    @Test
    void says_what_holds_back_and_until_when() {
        Allowance allowance = new Allowance(5L, new Pace(2, Duration.ofMinutes(1)), new Pace(1, Duration.ofSeconds(1)));
        Limiter limiter = new Limiter();
        assertThat(limiter.held(allowance, 0, START)).isNull();
        limiter.take(allowance, 1, START);
        assertThat(limiter.held(allowance, 1, START))
                .isEqualTo(new Held(Strategy.THROTTLE, 1, 1, START.plusSeconds(1)));
        limiter.take(allowance, 1, START.plusSeconds(1));
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
        limiter.putBack(allowance, permits.first());
        assertThat(limiter.room(allowance, 0, START.plusSeconds(1))).isEqualTo(1);
    }

    @Test
    void is_stored_and_read_alike() {
        Allowance allowance =
                new Allowance(null, new Pace(3, Duration.ofSeconds(1)), new Pace(7, Duration.ofSeconds(3)));
        Limiter limiter = new Limiter();
        for (int i = 0; i < 3; i++) limiter.take(allowance, 1, START.plusMillis(450L * i));
        limiter.freeze(START.plusSeconds(2));
        BinaryOut out = new BinaryOut();
        limiter.write(out);
        Limiter again = Limiter.read(new BinaryIn(out.toBytes()));
        for (Instant now = START; now.isBefore(START.plusSeconds(5)); now = now.plusMillis(50))
            assertThat(again.held(allowance, 0, now)).isEqualTo(limiter.held(allowance, 0, now));
    }
}
