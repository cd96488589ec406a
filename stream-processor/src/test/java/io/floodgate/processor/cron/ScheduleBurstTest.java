package io.floodgate.processor.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.command.CronCommand;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Twenty-five schedules of a partition are due at the same time. */
class ScheduleBurstTest extends CronFixture {
    @BeforeEach
    void twenty_five_schedules_are_due() {
        PutSchedule like = put("0 * * * *", here, null);
        List<String> names = IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "burst-" + i)
                .filter(each -> CronCommand.home(cluster.routing(), each).equals(home.id()))
                .limit(25)
                .toList();
        for (String each : names) home.receives(ask(new PutSchedule(each, like.spec(), null, null, like.plan())));
        home.sleeps(Duration.ofHours(1));
    }

    @Test
    void a_command_does_not_wait_for_them() {
        home.receives(enqueue("a").to(here));
        home.status(here).shows("available", 1);
    }

    @Test
    void a_tick_runs_ten_of_them_and_the_next_tick_is_due_at_once() {
        home.receives(tick());
        home.status(here).shows("available", 10);
        assertThat(home.engine().nextTimer()).isEqualTo(home.now());
        home.restarts().receives(tick());
        home.status(here).shows("available", 20);
        home.receives(tick());
        home.status(here).shows("available", 25);
        assertThat(home.engine().nextTimer()).isAfter(home.now());
    }

    @Test
    void a_command_about_one_of_them_sees_it_run() {
        registers("0 * * * *", there);
        home.sleeps(Duration.ofHours(1));
        tells(ask(put("0 * * * *", there, null))).shows("run_count", 0);
        heard("triggered");
    }
}
