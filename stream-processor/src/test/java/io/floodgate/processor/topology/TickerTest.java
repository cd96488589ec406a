package io.floodgate.processor.topology;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.PartitionId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TickerTest {
    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
    private static final PartitionId LOG = new PartitionId(0);

    private final PlainProducer producer = new PlainProducer(true);
    private final FakeScheduler scheduler = new FakeScheduler(START);
    private final Ticker ticker =
            new Ticker(LOG, producer.writer(), scheduler, new BrokerTime(scheduler.clock, scheduler::nanos));

    private static Instant in(Duration time) {
        return START.plus(time);
    }

    private int ticks() {
        return producer.sentTo("ojs.commands").size();
    }

    @Test
    void appends_a_tick_when_the_earliest_timer_is_due() {
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.advance(ofSeconds(5).minusMillis(1));
        assertThat(ticks()).isZero();
        scheduler.advance(ofMillis(1));
        assertThat(ticks()).isEqualTo(1);
        assertThat(producer.sentTo("ojs.commands").getFirst().partition()).isZero();
        assertThat(PlainProducer.header(producer.sentTo("ojs.commands").getFirst(), "ojs-op"))
                .isEqualTo("tick");
    }

    @Test
    @Timeout(60)
    void one_that_is_due_in_a_part_of_a_millisecond_is_waited_for_once() {
        scheduler.advance(ofNanos(300_000));
        ticker.arm(in(ofMillis(1)), null);
        scheduler.advance(ofNanos(699_999));
        assertThat(ticks()).isZero();
        scheduler.advance(ofNanos(1));
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    void one_that_is_due_in_a_thousand_years_is_waited_for() {
        ticker.arm(in(ofDays(366_000)), null);
        scheduler.advance(ofDays(300));
        assertThat(ticks()).isZero();
        assertThat(scheduler.planned()).isEqualTo(1);
    }

    @Test
    void an_idle_log_gets_none() {
        ticker.arm(null, null);
        scheduler.advance(ofHours(10));
        assertThat(ticks()).isZero();
        assertThat(scheduler.planned()).isZero();
    }

    @Test
    void a_timer_that_is_gone_needs_none() {
        ticker.arm(in(ofSeconds(5)), null);
        ticker.arm(null, null);
        scheduler.advance(ofHours(1));
        assertThat(ticks()).isZero();
    }

    @Test
    void an_earlier_timer_gets_its_tick_earlier() {
        ticker.arm(in(ofHours(1)), null);
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.advance(ofSeconds(5));
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    void a_later_timer_gets_its_tick_later() {
        ticker.arm(in(ofSeconds(5)), null);
        ticker.arm(in(ofSeconds(9)), null);
        scheduler.advance(ofSeconds(8));
        assertThat(ticks()).isZero();
        scheduler.advance(ofSeconds(1));
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    void a_timer_that_is_due_already_does_not_wait_for_a_later_one() {
        ticker.arm(in(ofHours(1)), null);
        ticker.arm(START.minusMillis(5), null);
        scheduler.advance(Duration.ZERO);
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    void while_a_tick_is_on_its_way_no_other_is_sent() {
        ticker.arm(in(ofMillis(1)), null);
        scheduler.advance(ofMillis(1));
        for (int i = 0; i < 100; i++) ticker.arm(in(ofMillis(1)), null);
        scheduler.advance(ofMillis(500));
        assertThat(ticks()).isEqualTo(1);
    }

    @Test
    void a_tick_that_does_not_come_by_is_followed_by_another_one() {
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.advance(ofSeconds(5));
        scheduler.advance(ofSeconds(1));
        assertThat(ticks()).isEqualTo(2);
    }

    @Test
    void timers_a_tick_left_over_get_the_next_one_at_once() {
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.advance(ofSeconds(5));
        ticker.arm(in(ofSeconds(5)), scheduler.clock.instant());
        scheduler.advance(Duration.ZERO);
        assertThat(ticks()).isEqualTo(2);
    }

    @Test
    void a_broker_whose_clock_is_behind_is_given_the_time_it_lacks() {
        Instant due = in(ofSeconds(5));
        ticker.arm(due, null);
        scheduler.advance(ofSeconds(5));
        ticker.arm(due, due.minusMillis(300));
        scheduler.advance(ofMillis(299));
        assertThat(ticks()).isEqualTo(1);
        scheduler.advance(ofMillis(1));
        assertThat(ticks()).isEqualTo(2);
    }

    @Test
    void a_clock_that_is_set_back_holds_up_nothing() {
        ticker.saw(START, START);
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.setClock(ofHours(-1));
        scheduler.advance(ofSeconds(5).minusMillis(1));
        assertThat(ticks()).isZero();
        scheduler.advance(ofMillis(1));
        assertThat(ticks()).isEqualTo(1);
        // It says the time that the broker is likely to have: one an hour ago would not be believed.
        assertThat(PlainProducer.header(producer.sentTo("ojs.commands").getFirst(), "ojs-sent"))
                .isEqualTo(Long.toString(in(ofSeconds(5)).toEpochMilli()));
    }

    /** Else a broker whose clock is an hour ahead would be believed, for its own sake. */
    @Test
    void a_brokers_clock_that_is_not_believed_says_when_but_not_what_time_it_is() {
        ticker.saw(in(ofHours(1)), START);
        ticker.arm(in(ofHours(1).plusSeconds(5)), null);
        scheduler.advance(ofSeconds(5));
        assertThat(PlainProducer.header(producer.sentTo("ojs.commands").getFirst(), "ojs-sent"))
                .isEqualTo(Long.toString(in(ofSeconds(5)).toEpochMilli()));
    }

    @Test
    void after_the_last_tick_it_sleeps() {
        ticker.arm(in(ofSeconds(5)), null);
        scheduler.advance(ofSeconds(5));
        ticker.arm(null, scheduler.clock.instant());
        scheduler.advance(ofHours(1));
        assertThat(ticks()).isEqualTo(1);
        assertThat(scheduler.planned()).isZero();
    }

    @Test
    void closed_it_sends_no_more() {
        ticker.arm(in(ofSeconds(5)), null);
        ticker.close();
        ticker.arm(in(ofSeconds(6)), null);
        scheduler.advance(ofHours(1));
        assertThat(ticks()).isZero();
    }
}
