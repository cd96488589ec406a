package io.floodgate.processor.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.MutedLogs;
import io.floodgate.processor.testing.PartitionTest;
import io.floodgate.processor.testing.TestPartition;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.CronCommand.PutSchedule;
import io.floodgate.topics.cron.RunRules;
import io.floodgate.topics.cron.SchedulePlan;
import io.floodgate.topics.cron.ScheduleSpec;
import io.floodgate.topics.cron.ScheduleSpec.JobTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules of which nothing is known: plans are wanted, and none arrives. */
class PlannerTest extends PartitionTest {
    private final FakeScheduler time = new FakeScheduler(TestPartition.START);
    private final PlainProducer producer = new PlainProducer(true);
    private final List<Runnable> looks = new ArrayList<>();
    private final Planner planner = new Planner(log.id(), producer.writer(), time.clock, this::look);

    private void look(Runnable task) {
        looks.add(task);
        task.run();
    }

    private void registered(String name, String expression) {
        byte[] job = "{\"type\":\"a\",\"args\":[],\"queue\":\"q\"}".getBytes(UTF_8);
        JobTemplate template = new JobTemplate("a", "q", job, "{}".getBytes(UTF_8), job);
        ScheduleSpec spec = new ScheduleSpec(expression, "UTC", null, template, RunRules.DEFAULT, null, null);
        log.receives(ask(new PutSchedule(name, spec, null, null, SchedulePlan.NONE)));
    }

    private void plans(Duration later) {
        time.advance(later);
        for (int record = 0; record < 10; record++) planner.plan(log.engine());
    }

    private int sent() {
        return producer.sentTo(Topics.COMMANDS).size();
    }

    @Test
    void a_plan_is_sent_once_and_again_when_it_is_late() {
        registered("a", "0 0 * * *");
        plans(Duration.ZERO);
        assertThat(sent()).isEqualTo(1);
        plans(Duration.ofSeconds(4));
        assertThat(sent()).isEqualTo(1);
        plans(Duration.ofSeconds(2));
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    void what_is_new_does_not_wait_for_what_is_late() {
        registered("a", "0 0 * * *");
        plans(Duration.ZERO);
        registered("b", "0 0 * * *");
        plans(Duration.ZERO);
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    void many_are_planned_with_the_records_that_come() {
        for (int i = 0; i < 120; i++) registered("s-" + i, "0 0 * * *");
        plans(Duration.ZERO);
        assertThat(sent()).isEqualTo(120);
        assertThat(looks).hasSize(3);
    }

    @Test
    void an_expression_that_cannot_be_read_is_looked_at_once_an_hour() {
        registered("a", "61 * * * *");
        try (MutedLogs muted = MutedLogs.of(Planner.class)) {
            for (int i = 0; i < 100; i++) plans(Duration.ofSeconds(20));
            assertThat(looks).hasSize(1);
            plans(Duration.ofHours(1));
        }
        assertThat(looks).hasSize(2);
        assertThat(sent()).isZero();
    }
}
