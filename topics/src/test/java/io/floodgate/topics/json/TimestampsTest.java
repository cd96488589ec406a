package io.floodgate.topics.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
    @ParameterizedTest
    @CsvSource({
        "2026-02-12T10:30:00Z, 2026-02-12T10:30:00.000Z",
        "2026-02-12T10:30:00.1Z, 2026-02-12T10:30:00.100Z",
        "2026-02-12T10:30:00.123456789Z, 2026-02-12T10:30:00.123Z",
        "2026-02-12T12:30:00+02:00, 2026-02-12T10:30:00.000Z",
        "2026-02-12T05:00:00-05:30, 2026-02-12T10:30:00.000Z",
        "2026-02-12T10:30:00-00:00, 2026-02-12T10:30:00.000Z",
        "2026-02-12t10:30:00z, 2026-02-12T10:30:00.000Z",
        "0001-01-01T00:00:00Z, 0001-01-01T00:00:00.000Z",
        "9999-12-31T23:59:59.999Z, 9999-12-31T23:59:59.999Z",
        "2024-02-29T00:00:00Z, 2024-02-29T00:00:00.000Z",
        "2024-02-29T23:59:58.007Z, 2024-02-29T23:59:58.007Z",
        "0001-01-01T00:00:00.000Z, 0001-01-01T00:00:00.000Z",
    })
    void any_rfc_3339_time_is_read_and_written_in_utc_with_three_digits(String text, String written) {
        assertThat(Timestamps.parse(text)).map(Timestamps::format).contains(written);
    }

    @ParameterizedTest
    @Table("""
        junk | 2026-02-12 | 10:30:00Z | 2026-02-12T10:30:00 | 2026-02-12 10:30:00 | 2026-13-12T10:30:00Z
        2026-02-30T10:30:00Z | 2026-02-30T10:30:00.000Z | 2026-00-12T10:30:00.000Z | 2026-02-12T24:00:00.000Z
        2026-02-12T10:30:60.000Z | 0000-01-01T00:00:00.000Z | 2026-02-12T10:30:0a.000Z | 2026-02-12T25:30:00Z
        2026-02-12T10:30:00.1234567890Z | 2026-02-12T10:30:00+19:00 | 1770892200 | +10000-01-01T00:00:00Z
        -0001-01-01T00:00:00Z | 9999-12-31T23:59:59-18:00 | 0001-01-01T00:00:00+18:00 | 2026-02-12T10:30:00[UTC]
        """)
    @ValueSource(strings = {"", "2026-02-12T10:30:00Z\n"})
    void a_time_without_zone_or_out_of_reach_is_none(String text) {
        assertThat(Timestamps.parse(text)).isEmpty();
    }

    @Test
    void digits_beyond_the_third_are_cut_when_written() {
        assertThat(Timestamps.format(Instant.parse("2026-02-12T10:30:00.999999999Z")))
                .isEqualTo("2026-02-12T10:30:00.999Z");
    }
}
