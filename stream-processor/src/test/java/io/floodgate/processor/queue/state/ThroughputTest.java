package io.floodgate.processor.queue.state;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ThroughputTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Throughput throughput = new Throughput();

    private Throughput stored() {
        BinaryOut out = new BinaryOut();
        throughput.write(out);
        return Throughput.read(new BinaryIn(out.toBytes()));
    }

    @Test
    void a_new_queue_has_done_nothing() {
        assertThat(throughput.at(NOON)).isEqualTo(new Throughput.Figures(0, 0, 0, 0, 0, 0, 0, 0.0));
        assertThat(stored().at(NOON)).isEqualTo(throughput.at(NOON));
    }

    @Test
    void counts_and_averages_what_was_done() {
        throughput.complete(NOON, ofMillis(100), ofSeconds(1));
        throughput.complete(NOON.plusSeconds(1), ofMillis(300), ofSeconds(3));
        throughput.fail(NOON.plusSeconds(2));
        assertThat(throughput.at(NOON.plusSeconds(3))).isEqualTo(new Throughput.Figures(2, 1, 0, 2, 1, 200, 2000, 0.0));
        assertThat(stored().at(NOON.plusSeconds(3))).isEqualTo(throughput.at(NOON.plusSeconds(3)));
    }

    @Test
    void the_last_hour_slides_in_steps_of_five_minutes() {
        throughput.complete(NOON, ofMillis(1), ofMillis(1));
        assertThat(throughput.at(NOON.plus(ofMinutes(60)).minusMillis(1)).completedLastHour())
                .isEqualTo(1);
        assertThat(throughput.at(NOON.plus(ofMinutes(60))).completedLastHour()).isZero();
        assertThat(throughput.at(NOON.plus(ofMinutes(60))).completedToday()).isEqualTo(1);
    }

    @Test
    void a_bucket_used_again_forgets_what_it_had() {
        throughput.complete(NOON, ofMillis(1), ofMillis(1));
        throughput.complete(NOON.plus(ofMinutes(60)), ofMillis(7), ofMillis(1));
        var figures = throughput.at(NOON.plus(ofMinutes(60)));
        assertThat(figures.completedLastHour()).isEqualTo(1);
        assertThat(figures.averageRunMillis()).isEqualTo(7);
    }

    @Test
    void the_day_ends_at_midnight_utc() {
        throughput.complete(NOON, ofMillis(1), ofMillis(1));
        throughput.fail(NOON);
        Instant midnight = Instant.parse("2026-01-02T00:00:00Z");
        assertThat(throughput.at(midnight.minusMillis(1)).completedToday()).isEqualTo(1);
        assertThat(throughput.at(midnight).completedToday()).isZero();
        assertThat(throughput.at(midnight).failedToday()).isZero();
        throughput.fail(midnight);
        assertThat(throughput.at(midnight).failedToday()).isEqualTo(1);
        assertThat(throughput.at(midnight).completedToday()).isZero();
    }

    @Test
    void the_rate_is_that_of_the_last_hour() {
        for (int i = 0; i < 360; i++) throughput.complete(NOON.plusSeconds(i * 10L), ofMillis(1), ofMillis(1));
        assertThat(throughput.at(NOON.plusSeconds(3599)).perSecond()).isEqualTo(0.1);
    }
}
