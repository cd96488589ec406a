package io.floodgate.gateway.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.gateway.explain.SystemStanding.Unbounded;
import io.floodgate.gateway.system.Readiness;
import io.floodgate.gateway.system.Readiness.Alarm;
import io.floodgate.topics.PartitionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SystemExplainerTest {
    private static final PartitionId PARTITION = PartitionId.parse("ojs.commands/0");

    private static Readiness.Finding ready() {
        return new Readiness.Finding(List.of(), 4, List.of(), 0, Duration.ZERO, false, false);
    }

    private static SystemStanding system(
            Readiness.Finding ready, Map<String, String> circuits, Map<String, String> levels, String... partitions) {
        List<Facts> facts =
                Stream.of(partitions).map(Given::json).map(Facts::new).toList();
        List<Silence> silences = ready.silent().stream()
                .map(partition -> new Silence(partition, "", Given.OWNER))
                .toList();
        return new SystemStanding(
                Given.NOW, ready, silences, new TreeMap<>(circuits), new TreeMap<>(levels), facts, List.of(), 0);
    }

    private static SystemStanding system(Readiness.Finding ready) {
        return system(ready, Map.of(), Map.of());
    }

    private static Finding verdict(SystemCode code, Severity severity, SystemStanding system) {
        Finding verdict = SystemExplainer.explain(system).verdict();
        assertThat(verdict.code()).isEqualTo(code);
        assertThat(verdict.severity()).isEqualTo(severity);
        return verdict;
    }

    @Test
    void kafka_unreachable() {
        verdict(SystemCode.KAFKA_UNREACHABLE, Severity.PROBLEM, system(ready(), Map.of("kafka", "open"), Map.of()));
    }

    private static Readiness.Finding silent(int of) {
        return new Readiness.Finding(List.of(PARTITION), of, List.of(), 0, Duration.ZERO, false, false);
    }

    @Test
    void no_partition_answers() {
        assertThat(verdict(SystemCode.NO_PARTITION_ANSWERS, Severity.PROBLEM, system(silent(1)))
                        .title())
                .isEqualTo("No partition answers");
    }

    @Test
    void partition_silent() {
        Finding found = verdict(SystemCode.PARTITION_SILENT, Severity.PROBLEM, system(silent(4)));
        assertThat(found.title()).isEqualTo("1 of 4 partitions do not answer: ojs.commands/0");
        assertThat(found.advice().getFirst().text()).startsWith("Look at processor node-7-1 at 10.0.0.7");
    }

    @Test
    void closing() {
        verdict(
                SystemCode.CLOSING,
                Severity.PROBLEM,
                system(new Readiness.Finding(List.of(), 4, List.of(), 0, Duration.ZERO, false, true)));
    }

    @Test
    void loading() {
        verdict(
                SystemCode.LOADING,
                Severity.PROBLEM,
                system(new Readiness.Finding(List.of(), 4, List.of(), 0, Duration.ZERO, true, false)));
    }

    @Test
    void alarm() {
        Alarm alarm = new Alarm(PARTITION, "clock_stepped", "2026-02-12T10:00:00.000Z", "The clock went back.");
        Finding found = verdict(
                SystemCode.ALARM,
                Severity.PROBLEM,
                system(new Readiness.Finding(List.of(), 4, List.of(alarm), 0, Duration.ZERO, false, false)));
        assertThat(found.title()).isEqualTo("Partition ojs.commands/0 has raised the alarm 'clock_stepped'");
    }

    @Test
    void overflow() {
        verdict(SystemCode.OVERFLOW, Severity.PROBLEM, system(ready(), Map.of(), Map.of("memory", "overflow")));
    }

    @Test
    void critical() {
        verdict(SystemCode.CRITICAL, Severity.PROBLEM, system(ready(), Map.of(), Map.of("memory", "critical")));
    }

    @Test
    void nearly_full() {
        verdict(SystemCode.NEARLY_FULL, Severity.WARNING, system(ready(), Map.of(), Map.of("memory", "warning")));
    }

    @Test
    void partition_memory_full() {
        String partition = "{'log':'ojs.commands/0','memory_bytes':%d,'max_memory_bytes':100}";
        Finding found = verdict(
                SystemCode.PARTITION_MEMORY_FULL,
                Severity.PROBLEM,
                system(ready(), Map.of(), Map.of(), partition.formatted(95)));
        assertThat(found.title())
                .isEqualTo("The state of partition ojs.commands/0 takes 95% of the memory that it may take");
        verdict(SystemCode.WELL, Severity.OK, system(ready(), Map.of(), Map.of(), partition.formatted(94)));
    }

    @Test
    void set_aside() {
        verdict(
                SystemCode.SET_ASIDE,
                Severity.WARNING,
                system(new Readiness.Finding(List.of(), 4, List.of(), 2, Duration.ZERO, false, false)));
    }

    @Test
    void maintenance() {
        verdict(SystemCode.MAINTENANCE, Severity.WARNING, system(ready(), Map.of(), Map.of(), "{'maintenance':true}"));
    }

    @Test
    void circuit_half_open() {
        verdict(
                SystemCode.CIRCUIT_HALF_OPEN,
                Severity.WARNING,
                system(ready(), Map.of("ojs.commands/0", "half_open"), Map.of()));
    }

    @Test
    void logic_versions_differ() {
        verdict(
                SystemCode.LOGIC_VERSIONS_DIFFER,
                Severity.INFO,
                system(ready(), Map.of(), Map.of(), "{'rules':1}", "{'rules':2}"));
    }

    @Test
    void unbounded_queues() {
        SystemStanding system = new SystemStanding(
                Given.NOW,
                ready(),
                List.of(),
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(),
                List.of(new Unbounded("email", 12)),
                3);
        assertThat(verdict(SystemCode.UNBOUNDED_QUEUES, Severity.INFO, system).title())
                .isEqualTo("3 queues have no bound");
    }

    @Test
    void well() {
        assertThat(verdict(SystemCode.WELL, Severity.OK, system(ready())).title())
                .isEqualTo("The server is well: all 4 partitions answer");
    }
}
