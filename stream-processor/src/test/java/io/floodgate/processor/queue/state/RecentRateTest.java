package io.floodgate.processor.queue.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecentRateTest {
    private static final long NOON = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();
    private static final double FACTOR = 1.5;

    private RecentRate rate = new RecentRate();
    private final Random chance = new Random(7);
    private double now = NOON;

    private void passes(double seconds) {
        now += 1_000 * seconds;
    }

    private Instant at() {
        return Instant.ofEpochMilli((long) now);
    }

    private double perSecond() {
        return rate.perSecond(at());
    }

    /** One job after the other, until the time is over. */
    private void flows(double perSecond, double seconds) {
        double end = now + 1_000 * seconds;
        while (now + 1_000 / perSecond <= end) {
            rate.add(1, at());
            passes(1 / perSecond);
        }
    }

    private double between(double least, double most) {
        return least * Math.pow(most / least, chance.nextDouble());
    }

    @Test
    void a_constant_flow_is_known_after_ten_seconds_whatever_came_before() {
        for (int i = 0; i < 2_000; i++) {
            rate = new RecentRate();
            passes(between(0.001, 10));
            flows(between(0.1, 500), between(1, 100));
            passes(between(0.1, 1_000));
            double perSecond = between(2.5, 500);
            flows(perSecond, between(10, 30));
            assertThat(perSecond()).isBetween(perSecond / FACTOR, perSecond * FACTOR);
        }
    }

    @Test
    void a_slow_flow_is_known_after_ten_seconds_and_some_jobs_if_nothing_came_for_minutes() {
        for (int i = 0; i < 2_000; i++) {
            rate = new RecentRate();
            flows(between(0.1, 500), between(1, 100));
            passes(301);
            double perSecond = between(0.02, 2.5);
            flows(perSecond, between(Math.max(10, 4 / perSecond), 1_000));
            assertThat(perSecond()).isBetween(perSecond / FACTOR, perSecond * FACTOR);
        }
    }

    @Test
    void many_jobs_of_one_moment_are_no_rate() {
        for (int i = 0; i < 500; i++) {
            rate = new RecentRate();
            passes(between(301, 1_000));
            for (int job = 0; job < 2_000; job++) {
                rate.add(1, at());
                passes(0.000_02);
            }
            for (int second = 0; second < 60; second++) {
                assertThat(perSecond()).isLessThanOrEqualTo(0.1);
                passes(1);
            }
        }
    }

    @Test
    void a_moment_with_many_jobs_leaves_a_constant_flow_as_it_is() {
        flows(20, 30);
        rate.add(10_000, at());
        flows(20, 5);
        assertThat(perSecond()).isBetween(20 / FACTOR, 20 * FACTOR);
    }

    /** The runs of many workers that began together end together. */
    @Test
    void a_flow_in_gusts_has_the_rate_of_minutes() {
        for (int gust = 0; gust < 30; gust++) {
            rate.add(100, at());
            passes(5);
        }
        assertThat(perSecond()).isBetween(20 / FACTOR, 20 * FACTOR);
    }

    @Test
    void a_flow_that_has_stopped_is_not_promised_for_long() {
        flows(80, 60);
        passes(12);
        assertThat(perSecond()).isLessThan(2);
        passes(300);
        assertThat(perSecond()).isZero();
    }

    @Test
    void what_is_stored_goes_on_as_before() {
        flows(20, 12.3);
        BinaryOut out = new BinaryOut();
        rate.write(out);
        RecentRate read = RecentRate.read(new BinaryIn(out.toBytes()));
        assertThat(read.perSecond(at())).isEqualTo(perSecond());
        passes(3);
        assertThat(read.perSecond(at())).isEqualTo(perSecond());
    }
}
