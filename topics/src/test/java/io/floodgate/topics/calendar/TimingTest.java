package io.floodgate.topics.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.topics.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {
    private static final Instant NOW = Instant.parse("2026-02-12T20:15:00Z");

    private static List<String> next(String expression, @Nullable String zone, int most) throws UnreadableExpression {
        return Timing.parse(expression, zone).next(NOW, NOW, most).stream()
                .map(Instant::toString)
                .toList();
    }

    @ParameterizedTest
    @Table("""
        0 9 * * *                | 2026-02-13T09:00:00Z
        */15 * * * *             | 2026-02-12T20:30:00Z
        30 0 9 * * *             | 2026-02-13T09:00:30Z
        0 9 * * MON-FRI          | 2026-02-13T09:00:00Z
        0 9 * * sat,7            | 2026-02-14T09:00:00Z
        0 9 * * FRI-SUN          | 2026-02-13T09:00:00Z
        0 0 1 jan *              | 2027-01-01T00:00:00Z
        0 0 29 2 *               | 2028-02-29T00:00:00Z
        0 23 L * *               | 2026-02-28T23:00:00Z
        0 0 LW * *               | 2026-02-27T00:00:00Z
        0 0 15W * *              | 2026-02-16T00:00:00Z
        0 0 1W 8 *               | 2026-08-03T00:00:00Z
        0 0 * * 5#3              | 2026-02-20T00:00:00Z
        0 0 * * FRIL             | 2026-02-27T00:00:00Z
        0 0 ? * 1                | 2026-02-16T00:00:00Z
        0 0 13 * 5               | 2026-02-13T00:00:00Z
        0 0 */2 * 1              | 2026-02-23T00:00:00Z
        5/20 * * * *             | 2026-02-12T20:25:00Z
        @yearly                  | 2027-01-01T00:00:00Z
        @Annually                | 2027-01-01T00:00:00Z
        @monthly                 | 2026-03-01T00:00:00Z
        @weekly                  | 2026-02-15T00:00:00Z
        @daily                   | 2026-02-13T00:00:00Z
        @midnight                | 2026-02-13T00:00:00Z
        @hourly                  | 2026-02-12T21:00:00Z
        @every 90s               | 2026-02-12T20:16:30Z
        @every 1h30m             | 2026-02-12T21:45:00Z
        @every PT2M              | 2026-02-12T20:17:00Z
        CRON_TZ=Asia/Tokyo 0 9 * * * | 2026-02-13T00:00:00Z
        TZ=Asia/Tokyo @daily     | 2026-02-13T15:00:00Z
        """)
    void is_due_next(String expression, String due) throws UnreadableExpression {
        assertThat(next(expression, null, 1)).containsExactly(due);
    }

    @ParameterizedTest
    @Table("""
        * * * * | * * * * * * * | 60 * * * * | * 24 * * * | * * 32 * * | * * 0 * * | * * * 13 * | * * * * 8
        */0 * * * * | 22-2 * * * * | 1,,2 * * * * | a * * * * | 1-2-3 * * * * | -1 * * * * | * * * FEX *
        0 0 30 2 * | 0 0 * * L | 0 0 * * 5#6 | 0 0 * * #3 | 0 0 W * * | 1.5 * * * * | @never | @every | @every 1
        @every 500ms | @every 366d | @every -1s | ? * * * * | 1/ * * * * | /2 * * * * | 99999999999 * * * *
        """)
    @ValueSource(strings = {"", " "})
    void is_rejected(String expression) {
        assertThatThrownBy(() -> Timing.parse(expression, null))
                .isInstanceOfSatisfying(
                        UnreadableExpression.class,
                        rejected -> assertThat(rejected.field()).isEqualTo("expression"));
    }

    @Test
    void the_message_names_the_word() {
        assertThatThrownBy(() -> Timing.parse("0 9 * * MON,8", null))
                .hasMessage("'8' among the days of the week: days of the week go from 0 to 7.");
    }

    @Test
    void what_is_too_long_is_rejected() {
        assertThatThrownBy(() -> Timing.parse("1,".repeat(200) + "1 * * * *", null))
                .hasMessageContaining("more than 256");
    }

    @ParameterizedTest
    @Table("""
        +02:00 | EST | UTC-5 | UTC+5 | CET | SystemV/EST5 | Europe/Atlantis | europe/berlin | Z
        """)
    @ValueSource(strings = "")
    void only_places_are_time_zones(String zone) {
        assertThatThrownBy(() -> Timing.parse("0 9 * * *", zone))
                .isInstanceOfSatisfying(
                        UnreadableExpression.class,
                        rejected -> assertThat(rejected.field()).isEqualTo("timezone"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Japan", "GB", "PRC", "Zulu", "EST5EDT", "PST8PDT", "Etc/GMT+5", "Etc/UTC", "GMT"})
    void other_names_of_the_database_are_time_zones_too(String zone) throws UnreadableExpression {
        assertThat(Timing.parse("0 9 * * *", zone).zone().getId()).isEqualTo(zone);
    }

    @ParameterizedTest
    @CsvSource({"1.5h,PT1H30M", "1h30.5m,PT1H30M30S", "1500ms,PT1.5S", "2h45m30s,PT2H45M30S"})
    void an_interval_may_have_fractions(String text, Duration every) throws UnreadableExpression {
        assertThat(Timing.parse("@every " + text, null).every()).isEqualTo(every);
    }

    @Test
    void two_time_zones_must_be_the_same() throws UnreadableExpression {
        assertThat(next("TZ=Asia/Tokyo 0 9 * * *", "Asia/Tokyo", 1)).hasSize(1);
        assertThatThrownBy(() -> Timing.parse("TZ=Asia/Tokyo 0 9 * * *", "UTC")).hasMessageContaining("Asia/Tokyo");
    }

    @Test
    void a_time_that_does_not_exist_has_no_run_and_is_named_as_a_gap() throws UnreadableExpression {
        var due = Timing.parse("30 2 * * *", "America/New_York").after(Instant.parse("2026-03-07T12:00:00Z"), 1);
        assertThat(due)
                .containsExactly(
                        new CronCalendar.Due(Instant.parse("2026-03-08T07:00:00Z"), 1),
                        new CronCalendar.Due(Instant.parse("2026-03-09T06:30:00Z"), 0));
    }

    @Test
    void a_time_that_exists_twice_has_one_run_the_first() throws UnreadableExpression {
        var timing = Timing.parse("30 1 * * *", "America/New_York");
        assertThat(timing.next(Instant.parse("2026-10-31T12:00:00Z"), NOW, 2))
                .containsExactly(Instant.parse("2026-11-01T05:30:00Z"), Instant.parse("2026-11-02T06:30:00Z"));
    }

    @Test
    void every_hour_goes_on_by_elapsed_time() throws UnreadableExpression {
        var timing = Timing.parse("0 * * * *", "America/New_York");
        assertThat(timing.next(Instant.parse("2026-11-01T04:30:00Z"), NOW, 3))
                .containsExactly(
                        Instant.parse("2026-11-01T05:00:00Z"),
                        Instant.parse("2026-11-01T06:00:00Z"),
                        Instant.parse("2026-11-01T07:00:00Z"));
    }

    @Test
    void a_day_that_a_zone_has_left_out_has_no_run() throws UnreadableExpression {
        var timing = Timing.parse("0 12 30 12 *", "Pacific/Apia");
        assertThat(timing.next(Instant.parse("2011-06-01T00:00:00Z"), NOW, 1).getFirst())
                .isEqualTo(Instant.parse("2012-12-29T22:00:00Z"));
    }

    @Test
    void what_falls_into_a_gap_every_time_is_rejected() {
        assertThatThrownBy(() -> Timing.parse("30 2 31-25/1 3 *", "Europe/Berlin"))
                .isInstanceOf(UnreadableExpression.class);
        assertThatThrownBy(() -> Timing.parse("30 2 ? 3 SUNL", "Europe/Berlin")).hasMessageContaining("do not exist");
    }

    @Test
    void warns_of_what_may_surprise() throws UnreadableExpression {
        assertThat(Timing.parse("0 0 31 * *", null).warnings(NOW)).hasSize(1);
        assertThat(Timing.parse("0 0 31 1 *", null).warnings(NOW)).isEmpty();
        assertThat(Timing.parse("*/5 * * * * *", null).warnings(NOW)).hasSize(1);
        assertThat(Timing.parse("30 2 * * *", "Europe/Berlin").warnings(NOW)).hasSize(1);
        assertThat(Timing.parse("@every 2s", null).warnings(NOW)).hasSize(1);
        assertThat(Timing.parse("0 9 * * *", "Europe/Berlin").warnings(NOW)).isEmpty();
    }
}
