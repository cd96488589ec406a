package io.floodgate.topics.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhenTest {
    private static final Instant NOW = Instant.parse("2026-02-12T10:30:00.123Z");

    @ParameterizedTest
    @CsvSource({
        "2030-01-01T00:00:00Z, 2030-01-01T00:00:00Z",
        "2030-01-01T02:00:00+02:00, 2030-01-01T00:00:00Z",
        "2020-01-01T00:00:00Z, 2020-01-01T00:00:00Z",
        "+PT2S, 2026-02-12T10:30:02.123Z",
        "PT5M, 2026-02-12T10:35:00.123Z",
        "+P1D, 2026-02-13T10:30:00.123Z",
        "PT0S, 2026-02-12T10:30:00.123Z",
    })
    void a_time_is_absolute_or_counted_from_when_the_log_received_it(String text, Instant time) {
        assertThat(When.parse(text)).map(when -> when.resolve(NOW)).contains(time);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+", "+2s", "2s", "-PT1S", "+PT", "P", "+2030-01-01T00:00:00Z", "+P200Y", "soon"})
    void anything_else_is_no_time(String text) {
        assertThat(When.parse(text)).isEmpty();
    }

    @Test
    void nothing_starts_before_the_time_its_producer_named() {
        Instant between = Instant.parse("2030-01-01T00:00:00.000000001Z");
        assertThat(When.at(between).resolve(NOW)).isEqualTo(Instant.parse("2030-01-01T00:00:00.001Z"));
        assertThat(When.after(Duration.ofNanos(1)).resolve(NOW)).isEqualTo(NOW.plusMillis(1));
        assertThat(When.at(NOW).resolve(NOW)).isEqualTo(NOW);
    }

    @Test
    void time_ends_where_its_format_ends() {
        Instant end = Instant.parse("9999-12-31T23:59:59.999Z");
        assertThat(When.at(Instant.parse("9999-12-31T23:59:59.9999Z")).resolve(NOW))
                .isEqualTo(end);
        assertThat(When.after(Duration.ofDays(36_525)).resolve(end)).isEqualTo(end);
    }

    @ParameterizedTest
    @Table("""
        +PT2S | PT5M | 2030-01-01T00:00:00.123456789Z | 2030-01-01T02:00:00+02:00 | +P100Y | PT0S | P1DT1.5S
        """)
    void is_read_again_as_it_was_written(String text) {
        When when = When.parse(text).orElseThrow();
        assertThat(When.parse(when.wire())).contains(when);
    }
}
