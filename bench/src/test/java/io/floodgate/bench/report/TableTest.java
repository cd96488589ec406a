package io.floodgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Measurement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TableTest {
    private final StringWriter shown = new StringWriter();
    private final Table table = new Table(new PrintWriter(shown));

    private void add(long units, Duration server, Errors errors, long... micros) {
        Histogram histogram = new Histogram(3);
        for (long each : micros) histogram.recordValue(each);
        table.add(new Measurement("name", "jobs", units, Duration.ofSeconds(5), histogram, server, errors));
        table.print();
    }

    private String row() {
        return shown.toString()
                .lines()
                .filter(line -> line.startsWith("name "))
                .findFirst()
                .orElseThrow()
                .replaceAll(" +", " ");
    }

    @Test
    void a_row_has_the_rate_the_latencies_that_enough_samples_show_and_the_cost_of_a_unit() {
        add(50_000, Duration.ofSeconds(1), new Errors(), 1_000, 2_000, 3_000);
        assertThat(row()).isEqualTo("name 10,000 2.00 - - - 3.00 20.0 3 0");
        assertThat(table.hasErrors()).isFalse();
    }

    @Test
    void what_was_not_measured_is_not_shown_as_a_figure() {
        add(0, Duration.ZERO, new Errors());
        assertThat(row()).isEqualTo("name - - - - - - - 0 0");
    }

    @Test
    void errors_are_shown_below() {
        Errors errors = new Errors();
        errors.add("kind", "it broke", 3);
        add(1, Duration.ZERO, errors, 5);
        assertThat(shown.toString()).contains("ERROR name: 3 × it broke");
        assertThat(table.hasErrors()).isTrue();
    }
}
