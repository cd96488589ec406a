package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The alerts and dashboards speak of metrics that exist, and the documentation of alerts that exist. */
final class MonitoringTest {
    private static final Path PROJECT = Path.of("..");
    private static final Path MONITORING = PROJECT.resolve("monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:ojs|floodgate)_[a-z_]+");
    private static final Pattern RECORDED = Pattern.compile("\\bfloodgate:[a-z_0-9:]+");

    private final String rules = read("monitoring/prometheus/rules.yml");
    private final String page = read("docs/how-to/monitor.md");
    /** Documented metrics; other tests compare them with what is offered. */
    private final Set<String> known = all(
            METRIC,
            read("docs/reference/metrics.md")
                    + Pattern.compile("ojs\\.[a-z.]+")
                            .matcher(read("docs/reference/java-worker.md"))
                            .replaceAll(meter -> meter.group().replace('.', '_')));

    private static String read(String file) {
        try {
            return Files.readString(PROJECT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> unknown(String text) {
        Set<String> metrics = all(METRIC, text);
        metrics.removeIf(metric -> {
            String whole = metric.replaceFirst("_(bucket|count|sum|max)$", "");
            return known.contains(metric)
                    || known.contains(whole)
                    || known.contains(whole.replaceFirst("_(seconds|total)$", ""));
        });
        return metrics;
    }

    private static List<String> values(String key, String text) {
        return Pattern.compile("(?m)^ +(?:- )?" + key + ": \"?(.*?)\"?$")
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void rules_ask_for_metrics_that_there_are() {
        assertThat(values("expr", rules)).hasSizeGreaterThan(30);
        assertThat(unknown(rules)).isEmpty();
        assertThat(all(RECORDED, String.join(" ", values("expr", rules)))).isSubsetOf(values("record", rules));
    }

    @Test
    void every_alert_is_documented_has_a_severity_and_a_runbook_that_exists() {
        List<String> alerts = values("alert", rules);

        assertThat(alerts).hasSizeGreaterThan(25).doesNotHaveDuplicates();
        assertThat(alerts).allMatch(alert -> page.contains("| `" + alert + "` |"));
        assertThat(all(Pattern.compile("`Floodgate[A-Z][A-Za-z]+`"), page)).hasSize(alerts.size());
        assertThat(values("labels", rules))
                .hasSize(alerts.size())
                .allMatch(label -> label.matches("\\{severity: (critical|warning)}"));
        assertThat(values("summary", rules)).hasSize(alerts.size());
        assertThat(values("console", rules)).hasSize(alerts.size()).allMatch(link -> link.startsWith("#/"));
        assertThat(values("runbook", rules))
                .hasSize(alerts.size())
                .allMatch(runbook -> Files.exists(PROJECT.resolve(runbook)));
        assertThat(values("alertname", read("monitoring/prometheus/rules.test.yml")))
                .isSubsetOf(alerts);
    }

    @Test
    void dashboards_ask_for_metrics_that_there_are() throws IOException {
        try (Stream<Path> files = Files.list(MONITORING.resolve("grafana/dashboards"))) {
            List<Path> dashboards = files.sorted().toList();
            assertThat(dashboards).hasSize(4);
            for (Path dashboard : dashboards) {
                JsonNode json = new ObjectMapper().readTree(Files.readString(dashboard));
                assertThat(json.path("uid").asString()).startsWith("floodgate-");
                assertThat(json.path("panels")).isNotEmpty();
                json.path("panels").forEach(panel -> {
                    assertThat(panel.path("title").asString()).isNotBlank();
                    panel.path("targets")
                            .forEach(target -> assertThat(
                                            unknown(target.path("expr").asString()))
                                    .as(panel.path("title").asString())
                                    .isEmpty());
                });
            }
        }
    }
}
