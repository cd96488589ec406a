package io.floodgate.processor.topology;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.cron.ScheduleStanding;
import io.floodgate.topics.PartitionId;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/metrics.md");
    private static final PartitionId LOG = new PartitionId(0);

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void the_documentation_lists_every_meter_as_it_is() throws IOException {
        List<String> listed = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `floodgate_processor_"))
                .toList();

        List<String> offered = new ArrayList<>(
                Stream.of(Meter.values()).map(MetricsPageTest::row).toList());
        ScheduleMeters.DESCRIPTIONS.forEach((name, description) -> offered.add(rowOfSchedules(name, description)));
        assertThat(listed).isEqualTo(offered);
    }

    private static String rowOfSchedules(String name, String description) {
        boolean isHistogram = name.equals(ScheduleMeters.LATENESS);
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        name.replace('.', '_') + (isHistogram ? "_seconds" : ""),
                        isHistogram ? "histogram" : "gauge",
                        isHistogram ? "" : "`schedule`",
                        description);
    }

    private static String row(Meter meter) {
        boolean isCounter = meter.kind == Meter.Kind.COUNTER;
        return "| `%s%s` | %s | %s | %s |"
                .formatted(
                        meter.metricName().replace('.', '_'),
                        isCounter ? "_total" : "",
                        isCounter ? "counter" : "gauge",
                        meter.kind == Meter.Kind.PARTITION_GAUGE ? "`log`" : "",
                        meter.description);
    }

    @Test
    void a_log_that_is_closed_and_a_processor_that_ends_leave_no_meters() {
        Meters meters = new Meters(registry);
        int withoutLogs = registry.getMeters().size();

        meters.closed(LOG, meters.opened(LOG));
        assertThat(registry.getMeters()).hasSize(withoutLogs);

        meters.opened(LOG);
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    /** A task that comes back may be opened before its old one is closed. */
    @Test
    void a_log_that_is_opened_again_is_shown_once_and_stays() {
        Meters meters = new Meters(registry);
        PartitionMeters old = meters.opened(LOG);
        PartitionMeters now = meters.opened(LOG);

        now.set(Meter.PARTITION_POSITION, 7);
        meters.closed(LOG, old);

        assertThat(registry.get("floodgate.processor.partition.position")
                        .gauge()
                        .value())
                .isEqualTo(7);
    }

    @Test
    void the_schedules_that_changed_last_are_told_apart() {
        AtomicLong nanos = new AtomicLong();
        ScheduleMeters schedules = new ScheduleMeters(registry, nanos::get);
        for (int i = 0; i <= ScheduleMeters.MOST; i++)
            schedules.show(LOG, "s-" + i, new ScheduleStanding(i * 1_000L, 60_000));
        assertThat(registry.find(ScheduleMeters.SUCCESS).gauges()).hasSize(ScheduleMeters.MOST);
        String last = "s-" + ScheduleMeters.MOST;
        assertThat(registry.find(ScheduleMeters.SUCCESS).tag("schedule", last).gauge())
                .as("the others have changed in the same minute")
                .isNull();
        nanos.addAndGet(ScheduleMeters.KEPT.toNanos());
        schedules.show(LOG, last, new ScheduleStanding(1_000, 60_000));
        assertThat(registry.find(ScheduleMeters.SUCCESS).gauges()).hasSize(ScheduleMeters.MOST);
        assertThat(registry.find(ScheduleMeters.SUCCESS).tag("schedule", last).gauge())
                .isNotNull();
        assertThat(registry.find(ScheduleMeters.SUCCESS).tag("schedule", "s-0").gauge())
                .isNull();
        schedules.show(LOG, "s-7", new ScheduleStanding(70_000, 30_000));
        assertThat(registry.get(ScheduleMeters.SUCCESS)
                        .tag("schedule", "s-7")
                        .gauge()
                        .value())
                .isEqualTo(70);
        assertThat(registry.get(ScheduleMeters.INTERVAL)
                        .tag("schedule", "s-7")
                        .gauge()
                        .value())
                .isEqualTo(30);
        schedules.show(LOG, "s-7", null);
        assertThat(registry.find(ScheduleMeters.SUCCESS).tag("schedule", "s-7").gauge())
                .isNull();
        schedules.closed(LOG);
        assertThat(registry.find(ScheduleMeters.SUCCESS).gauges()).isEmpty();
    }

    @Test
    void lateness_is_counted_in_buckets_of_milliseconds() {
        Meters meters = new Meters(registry);
        meters.schedules().triggered(Duration.ofMillis(40));
        assertThat(registry.get(ScheduleMeters.LATENESS).timer().takeSnapshot().histogramCounts())
                .filteredOn(bucket -> bucket.count() > 0)
                .extracting(bucket -> bucket.bucket(MILLISECONDS))
                .startsWith(50.0)
                .contains(1_000.0);
    }

    @Test
    void counters_and_lag_are_those_of_the_registry() {
        Meters meters = new Meters(registry);
        meters.count(Meter.RECORDS, 3);
        PartitionMeters partition = meters.opened(LOG);
        partition.set(Meter.PARTITION_POSITION, 7);
        partition.set(Meter.PARTITION_DELAY_SECONDS, 1_500);
        meters.behind(LOG, 10);

        assertThat(registry.get("floodgate.processor.records").functionCounter().count())
                .isEqualTo(3);
        assertThat(registry.get("floodgate.processor.partition.lag")
                        .tag("log", "ojs.commands/0")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(registry.get("floodgate.processor.partition.delay.seconds")
                        .gauge()
                        .value())
                .isEqualTo(1.5);
    }
}
