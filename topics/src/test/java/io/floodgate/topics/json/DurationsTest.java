package io.floodgate.topics.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.Table;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "PT1S, 1000",
        "PT0.5S, 500",
        "PT0.001S, 1",
        "PT30S, 30000",
        "PT5M, 300000",
        "PT1H30M, 5400000",
        "PT24H, 86400000",
        "PT0S, 0",
        "P1D, 86400000",
        "P7D, 604800000",
        "P1W, 604800000",
        "P1M, 2592000000",
        "P1Y, 31536000000",
        "P1DT12H, 129600000",
        "P1Y2M3W4DT5H6M7.89S, 38898367890",
    })
    void iso_8601_is_read_by_everyone(String text, long millis) {
        assertThat(Durations.parse(text)).contains(Duration.ofMillis(millis));
        assertThat(Durations.parseIso(text)).contains(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, 500",
        "1s, 1000",
        "1.5s, 1500",
        "1m, 60000",
        "5m, 300000",
        "1h, 3600000",
        "24h, 86400000",
        "7d, 604800000",
        "2w, 1209600000",
        "3600s, 3600000",
        "'10 s', 10000",
        "0s, 0",
        "0.1ms, 0",
        "second, 1000",
        "minute, 60000",
        "hour, 3600000",
        "day, 86400000",
        "Minute, 60000",
    })
    void short_spellings_and_words_are_read_too_but_are_not_iso(String text, long millis) {
        assertThat(Durations.parse(text)).contains(Duration.ofMillis(millis));
        assertThat(Durations.parseIso(text)).isEmpty();
    }

    @ParameterizedTest
    @Table("""
        P | PT | T1S | P1 | 1 | PS | PT1 | PT-1S | -PT1S | +PT1S | -1s | P1DT | P1.5D | PT1.S | PT.5S | pt1s
        PT1M1H | P1H | PT1D | 1x | s | ms | 1 hour | 1e3s | ٣s | PT٣S | forever | null | 1m30s | NaNs | 1,5s
        """)
    @ValueSource(strings = {"", "PT1S ", " PT1S", "PT1S\n"})
    void anything_else_is_no_duration(String text) {
        assertThat(Durations.parse(text)).isEmpty();
        assertThat(Durations.parseIso(text)).isEmpty();
    }

    @ParameterizedTest
    @Table("""
        P101Y | P36526D | PT876601H | 36526d | 9223372036854775807ms | 18446744073709551617s
        18446744073709551616.5ms | 99999999999999999999999999w | P9223372036854775807Y | P99999999999999999999Y
        PT9223372036854775807H | PT9223372036854775807M | PT99999999999999999999999999S | P25252734927766554D
        PT0.00000000000000000000000000000000000001S0
        """)
    void nothing_overflows_and_nothing_is_longer_than_a_century(String text) {
        assertThat(Durations.parse(text)).isEmpty();
        assertThat(Durations.parseIso(text)).isEmpty();
    }

    @Test
    void a_century_is_the_longest() {
        assertThat(Durations.parse("P36525D")).contains(Durations.LONGEST);
        assertThat(Durations.parse("36525d")).contains(Durations.LONGEST);
    }

    @ParameterizedTest
    @CsvSource({
        "1000, PT1S",
        "500, PT0.5S",
        "1, PT0.001S",
        "0, PT0S",
        "60000, PT1M",
        "90000, PT1M30S",
        "300000, PT5M",
        "3600000, PT1H",
        "86400000, P1D",
        "604800000, P7D",
        "90000000, PT25H",
    })
    void is_written_in_iso_8601(long millis, String text) {
        assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void what_is_written_is_read_as_the_same_to_the_millisecond() {
        Random random = new Random(11);
        for (int i = 0; i < 10_000; i++) {
            Duration duration =
                    Duration.ofMillis(random.nextLong(1L << random.nextInt(1, 42)) % Durations.LONGEST.toMillis());
            assertThat(Durations.parse(Durations.format(duration.plusNanos(999))))
                    .contains(duration);
        }
    }
}
