package io.floodgate.processor.partition;

import static io.floodgate.topics.command.ErrorCode.CONFLICT;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Commands;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thousand jobs due at the same second must not hold up the next command. */
class TimerBudgetTest extends PartitionTest {
    @BeforeEach
    void a_thousand_jobs_are_due_at_once() {
        log.unaudited()
                .receives(batchOfMadeIds(IntStream.range(0, 1000)
                        .mapToObj(i -> enqueue("j%03d".formatted(i)).delay(ofSeconds(10)))
                        .toArray(Commands.Job[]::new)));
        log.sleeps(ofSeconds(10));
    }

    @Test
    void a_command_waits_for_two_hundred_timers_at_most() {
        log.receives(pause("elsewhere"));
        log.status("q").shows("available", 200).shows("scheduled", 800);
    }

    @Test
    void a_tick_fires_six_hundred_at_most() {
        log.receives(tick());
        log.status("q").shows("available", 600).shows("scheduled", 400);
        assertThat(log.engine().nextTimer()).isEqualTo(TestPartition.START.plusSeconds(10));
    }

    @Test
    void what_fifty_have_caused_is_carried_away_before_the_next_ones_fire() {
        PartitionEngine engine = log.engine();
        List<Outcome> outcomes = new ArrayList<>();
        var tick = new PartitionRecord(engine.position() + 1, log.now(), "tick", new byte[] {'{', '}'}, null, null, 0);
        assertThat(engine.apply(tick, outcomes::add)).as("commands").isEqualTo(1);
        assertThat(outcomes)
                .extracting(outcome -> outcome.events().size())
                .hasSize(13)
                .startsWith(50, 50, 50);
    }

    @Test
    void tick_follows_tick_until_all_have_fired() {
        int before = log.records().size();
        log.after(ofSeconds(0));
        log.status("q").shows("available", 1000).shows("scheduled", 0);
        assertThat(log.records().size() - before).isEqualTo(3);
        log.agreesWithItself();
    }

    @Test
    void a_command_sees_its_own_job_as_it_is_by_now() {
        log.receives(ack("j999")).rejects(CONFLICT).with("current_state", "available");
    }

    @Test
    void a_client_whose_time_is_up_is_not_served_though_his_timer_has_not_fired() {
        TestPartition other = new TestPartition().unaudited();
        other.receives(pause("q"), fetch().waiting(ofSeconds(10)).as("a"));
        other.receives(batchOfMadeIds(IntStream.range(0, 300)
                .mapToObj(i -> enqueue("x" + i).to("other").delay(ofSeconds(10)))
                .toArray(Commands.Job[]::new)));
        other.sleeps(ofSeconds(10)).receives(Commands.resume("q"), enqueue("j1"));
        other.job("j1").is("available");
        other.after(ofSeconds(0)).repliesTo("a").nothing();
    }
}
