package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What ten open tabs cost a gateway that knows 100,000 queues, in processor time: docs/reference/figures.md has what it prints. */
@Tag("long")
class ConsoleCostTest extends GatewayFixture {
    private static final int QUEUES = 100_000;
    private static final int SUSPECTS = 1_000;
    private static final int TABS = 10;
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final int TICKS = 30;
    private static final String OVERVIEW = "/ojs/v1/admin/overview";
    private static final String FULLEST = "/ojs/v1/admin/queues?view=row&sort=pressure&per_page=50";

    private final OperatingSystemMXBean machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private void published(int queue) {
        boolean isSuspect = queue % (QUEUES / SUSPECTS) == 0;
        given.published(
                ("{'name':'team%d.queue%d','created_at':'2026-02-12T09:00:00.000Z','updated_at':'2026-02-12T10:00:00.000Z','state':'active',"
                                + "'config':{'max_depth':1000},'version':3,'depth':%d,'available':%d,'active':3,'fills_per_second':2.5,"
                                + "'drains_per_second':2.5,'completed_last_hour':900,'failed_last_hour':3,'last_fetched_at':'2026-02-12T10:30:00.000Z','paused':%b}")
                        .formatted(queue % 97, queue, 5 + queue % 300, 2 + queue % 300, isSuspect)
                        .replace('\'', '"'));
    }

    private double millis(int times, Runnable asked) {
        long before = machine.getProcessCpuTime();
        for (int i = 0; i < times; i++) asked.run();
        return (machine.getProcessCpuTime() - before) / 1e6 / times;
    }

    @Test
    void ten_tabs_are_within_the_budget() {
        logs.answerByLog(sent -> sent.command() instanceof ExplainQueue explained
                ? FakePartitions.done(Given.queue("'paused':true,'depth':2,'available':2")
                        .facts()
                        .json()
                        .toString()
                        .replace("\"email\"", "\"" + explained.queue() + "\""))
                : FakePartitions.done("{\"alarms\":[],\"set_aside\":0}"));
        for (int i = 0; i < QUEUES; i++) published(i);
        for (int i = 0; i < 20; i++) {
            get(OVERVIEW);
            get(FULLEST);
            given.pass(TICK);
        }
        int sentBefore = logs.sent().size();
        double tick = millis(TICKS, () -> {
            for (int tab = 0; tab < TABS; tab++) get(OVERVIEW);
            given.pass(TICK);
        });
        double commands = (logs.sent().size() - sentBefore) / (double) (TICKS * TICK.toSeconds());
        double shared = millis(100, () -> get(OVERVIEW));
        double page = millis(20, () -> get(FULLEST));
        int bytes = get(OVERVIEW).body().length();

        System.out.printf(
                "%,d queues, %d tabs: %.1f ms of processor time every 2 s (%.2f%% of a core), of which a tab takes %.2f ms; the snapshot %.1f ms; "
                        + "%.1f commands/s; a page of queues %.1f ms; overview of %,d bytes%n",
                QUEUES, TABS, tick, tick / TICK.toMillis() * 100, shared, tick - TABS * shared, commands, page, bytes);
        assertThat(tick / TICK.toMillis()).as("share of a core").isLessThan(0.1);
        assertThat(commands).isLessThan(30);
    }
}
