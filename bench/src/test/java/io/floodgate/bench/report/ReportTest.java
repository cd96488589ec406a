package io.floodgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Machine MACHINE = new Machine(2, "Linux", "a JVM", 1);

    @Test
    void the_table_shows_rates_shares_and_percentiles() {
        String table = table(report(Measurements.of("enqueue", 50_000, 5, 1_000, 2_000, 3_000)));
        assertThat(table).contains("enqueue", "10,000", "50.0%", "2.00", "3.00");
    }

    @Test
    void what_was_not_measured_is_not_shown_as_a_figure() {
        Report report = report(Measurements.of("enqueue", 0, 5));
        String row = table(report)
                .lines()
                .filter(line -> line.startsWith("enqueue "))
                .findFirst()
                .orElseThrow();
        assertThat(row.strip().split("\\s+"))
                .containsExactly("enqueue", "-", "-", "-", "-", "-", "-", "-", "-", "-", "0", "0");
        assertThat(Json.tree(JsonReport.of(report)).at("/runs/0/latency_ms").isMissingNode())
                .isTrue();
    }

    @Test
    void the_json_has_every_percentile() {
        long[] micros = LongStream.rangeClosed(1, 1_000).toArray();
        var run = Json.tree(JsonReport.of(report(Measurements.of("enqueue", 50_000, 5, micros))))
                .at("/runs/0");
        assertThat(run.get("per_second").doubleValue()).isEqualTo(10_000);
        assertThat(run.get("share_of_limit").doubleValue()).isEqualTo(0.5);
        assertThat(run.at("/latency_ms/p50").doubleValue()).isEqualTo(0.5);
        assertThat(run.at("/latency_ms").propertyNames()).containsExactly("p50", "p90", "p99", "p99.9", "max");
    }

    @Test
    void a_percentile_that_no_sample_lies_beyond_is_not_shown() {
        var run = Json.tree(JsonReport.of(report(Measurements.of("enqueue", 1, 1, new long[99]))))
                .at("/runs/0");
        assertThat(run.at("/latency_ms").propertyNames()).containsExactly("p50", "p90", "max");
    }

    @Test
    void the_page_needs_nothing_from_elsewhere_and_escapes_what_it_shows() {
        String page = new String(
                HtmlReport.of(report(Measurements.of("<script>", 10, 5, 1_000, 9_000))), StandardCharsets.UTF_8);
        assertThat(page).contains("<polyline", "&lt;script&gt;").doesNotContain("<script", "http");
    }

    @Test
    void errors_are_shown_and_make_the_report_a_failure() {
        var found = Measurements.of("enqueue", 1, 1, 5);
        found.errors().add("kind", "it broke", 3);
        Report report = report(found);
        assertThat(report.hasErrors()).isTrue();
        assertThat(table(report)).contains("ERROR 3 × it broke");
    }

    @Test
    void a_curve_ends_where_the_samples_end() {
        Curve curve = Curve.of(Measurements.of("x", 1, 1, new long[100]));
        assertThat(curve.points().getLast().nines()).isEqualTo(2);
        assertThat(Curve.of(Measurements.of("x", 0, 1)).points()).isEmpty();
    }

    private static Report report(io.floodgate.bench.load.Measurement found) {
        return new Report(
                Instant.EPOCH,
                MACHINE,
                Optional.of(new MachineLimit(1, 20_000, 20_000)),
                List.of(new ReportFinding(found, Yardstick.RATE)));
    }

    private static String table(Report report) {
        StringWriter table = new StringWriter();
        Table.print(report, new PrintWriter(table));
        return table.toString();
    }
}
