package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.floodgate.gateway.FakePartitions;
import io.floodgate.gateway.GatewayFixture;
import io.floodgate.gateway.GatewayLimits;
import io.floodgate.gateway.TestApi;
import io.floodgate.gateway.queue.QueueRows;
import io.floodgate.topics.command.QueueCommand.ExplainQueue;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What ten open tabs cost a gateway that knows 100,000 queues and gets 1,000 events a second, in processor time: docs/reference/figures.md
 * has what it prints. {@code -Dtest.jvm.flags='-Xmx1g -XX:+UseSerialGC'} measures with the compiler that servers have.
 */
@Tag("long")
@EnabledIfSystemProperty(
        named = "console.budgets",
        matches = "true",
        disabledReason = "only in the long lane: it measures for a minute")
class ConsoleCostTest extends GatewayFixture {
    ConsoleCostTest() {
        super(new TestApi(GatewayLimits.DEFAULT_EVENTS, 2 * QUEUES));
    }

    private static final int QUEUES = 100_000;
    private static final int SUSPECTS = 1_000;
    private static final int TABS = 10;
    private static final Duration TICK = Duration.ofSeconds(2);
    private static final int TICKS = 30;
    private static final int WARM_UP = 100;
    private static final int EVENTS_PER_SECOND = 1_000;
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

    /** What happens from one look to the next. */
    private void happens() {
        for (int i = 0; i < EVENTS_PER_SECOND * TICK.toSeconds(); i++)
            given.happened(
                    ("{'specversion':'1.0','id':'evt_%d','type':'job.completed','time':'2026-02-12T10:29:59.000Z','subject':'019539a4-b68c-7def-8000-%012d',"
                                    + "'data':{'job_type':'email.send','queue':'team1.queue1','worker_id':'w-%d','duration_ms':%d,'attempt':1}}")
                            .formatted(i, i, i % 20, 100 + i % 50)
                            .replace('\'', '"'));
        given.pass(TICK);
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
        assertThat(get(OVERVIEW).at("/queues/total").intValue()).isEqualTo(QUEUES);
        for (int i = 0; i < WARM_UP; i++) {
            get(OVERVIEW);
            get(FULLEST);
            happens();
        }
        int sentBefore = logs.sent().size();
        double ticks = 0;
        for (int i = 0; i < TICKS; i++) {
            ticks += millis(1, () -> {
                for (int tab = 0; tab < TABS; tab++) get(OVERVIEW);
            });
            happens();
        }
        double tick = ticks / TICKS;
        double commands = (logs.sent().size() - sentBefore) / (double) (TICKS * TICK.toSeconds());
        get(OVERVIEW);
        double shared = millis(100, () -> get(OVERVIEW));
        QueueRows rows = new QueueRows(given.table);
        double pass = millis(100, () -> QueueTotals.of(rows.all(), given.clock.instant()));
        double page = millis(20, () -> get(FULLEST));
        int bytes = get(OVERVIEW).body().length();

        System.out.printf(
                "%,d queues, %d tabs, %,d events/s: %.1f ms of processor time every 2 s (%.2f%% of a core), of which a tab takes %.2f ms; the snapshot %.1f ms (%.1f to look at all queues); "
                        + "%.1f commands/s; a page of queues %.1f ms; overview of %,d bytes%n",
                QUEUES,
                TABS,
                EVENTS_PER_SECOND,
                tick,
                tick / TICK.toMillis() * 100,
                shared,
                tick - TABS * shared,
                pass,
                commands,
                page,
                bytes);
        assertThat(tick / TICK.toMillis()).as("share of a core").isLessThan(0.1);
        assertThat(commands).isLessThan(30);
    }
}
