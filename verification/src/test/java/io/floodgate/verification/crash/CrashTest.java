package io.floodgate.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.verification.chaos.Special;
import io.floodgate.verification.chaos.Special.Bounds;
import io.floodgate.verification.chaos.Special.Limits;
import io.floodgate.verification.chaos.Special.Moves;
import io.floodgate.verification.chaos.Special.Order;
import io.floodgate.verification.process.Installation.Layout;
import io.floodgate.verification.process.Role;
import io.floodgate.verification.webhook.WebhookLoad;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code floodgate crash-test}: brokers, processor and gateway are processes of their own. */
@Tag("long")
final class CrashTest {
    private static final String EFFORT = "search.effort";
    private static final String LITTLE = "0[.].*";

    @TempDir
    Path directory;

    @Test
    @DisabledIfSystemProperty(named = EFFORT, matches = LITTLE, disabledReason = "takes 40 s: ./floodgate test --long")
    void nothing_is_lost_or_done_twice_when_the_processor_is_killed_while_jobs_move_to_another_log() throws Exception {
        passes(plan(1, 1, 150, new Moves(300, 4_000)));
    }

    @Test
    @DisabledIfSystemProperty(named = EFFORT, matches = LITTLE, disabledReason = "takes 110 s: ./floodgate test --long")
    void bounds_hold_on_three_brokers_when_the_processor_is_killed_while_queues_are_full() throws Exception {
        passes(plan(1, 3, 150, new Bounds(30, 60_000, 24, Duration.ofMillis(200))));
    }

    @Test
    @DisabledIfSystemProperty(named = EFFORT, matches = LITTLE, disabledReason = "takes 30 s: ./floodgate test --long")
    void rate_limits_hold_when_the_processor_is_killed_while_jobs_wait_for_permits() throws Exception {
        passes(plan(1, 1, 100, Limits.twice(100)));
    }

    @Test
    void jobs_of_a_key_start_in_order_when_a_node_is_killed_while_they_run() throws Exception {
        passes(plan(1, Role.NODE, Layout.node(directory, 2), 60, new Order(40)));
    }

    @Test
    @DisabledIfSystemProperty(named = EFFORT, matches = LITTLE, disabledReason = "takes long: ./floodgate test --long")
    void events_come_to_each_subscriber_in_order_when_a_node_is_killed_while_some_are_dead_or_slow() throws Exception {
        var webhooks = new WebhookLoad.Plan(12, 2, 2, 10, Duration.ofSeconds(2));
        passes(plan(1, Role.NODE, Layout.node(directory, 2), 20, Special.NOTHING, webhooks.beginning()));
    }

    private CrashRun.Plan plan(int kills, int brokers, int enqueuesPerSecond, Special special) {
        Layout layout = new Layout(directory, 4, brokers, 1, 1);
        return plan(kills, Role.PROCESSOR, layout, enqueuesPerSecond, special);
    }

    private static CrashRun.Plan plan(int kills, Role victim, Layout layout, int enqueuesPerSecond, Special special) {
        return plan(kills, victim, layout, enqueuesPerSecond, special, SideLoad.Beginning.NONE);
    }

    private static CrashRun.Plan plan(
            int kills, Role victim, Layout layout, int enqueuesPerSecond, Special special, SideLoad.Beginning beside) {
        return new CrashRun.Plan(
                kills,
                0,
                List.of(victim),
                Duration.ofSeconds(1),
                Duration.ofMillis(1_500),
                System.nanoTime(),
                layout,
                enqueuesPerSecond,
                special,
                beside);
    }

    private void passes(CrashRun.Plan plan) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        // when
        CrashReport report = new CrashRun(plan, lines).run();
        // then
        report.print(lines);
        assertThat(report.passed())
                .as("%s\n%s", plan, out.toString(StandardCharsets.UTF_8))
                .isTrue();
    }
}
