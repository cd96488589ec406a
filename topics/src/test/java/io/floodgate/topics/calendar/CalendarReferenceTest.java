package io.floodgate.topics.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Against a reference that walks minute by minute, around every change of clocks: a sample of zones and expressions, or all of
 * them with {@code -Dcalendar.all=true}.
 */
class CalendarReferenceTest {
    private static final boolean ALL = Boolean.getBoolean("calendar.all");
    private static final int EXPRESSIONS = ALL ? 40 : 6;
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant END = Instant.parse("2036-01-01T00:00:00Z");
    private static final List<String> CURIOUS = List.of(
            "Australia/Lord_Howe", // half an hour
            "Antarctica/Troll", // two hours
            "Africa/Casablanca", // backwards in Ramadan
            "America/Sao_Paulo", // none any more
            "Pacific/Chatham",
            "Asia/Gaza",
            "Europe/Berlin",
            "America/New_York");

    /** One field, as text and as the values that the text means. */
    private record Field(String text, TreeSet<Integer> values) {
        static Field random(Random random, int min, int max) {
            TreeSet<Integer> values = new TreeSet<>();
            int a = min + random.nextInt(max - min + 1);
            int b = min + random.nextInt(max - min + 1);
            int step = 1 + random.nextInt(5);
            int kind = random.nextInt(5);
            if (kind < 2) return new Field(kind == 0 ? "*" : "*/" + step, every(min, max, kind == 0 ? 1 : step));
            int from = Math.min(a, b);
            int to = Math.max(a, b);
            if (kind == 2) return new Field(from + "-" + to + "/" + step, every(from, to, step));
            values.add(a);
            if (kind == 3) values.add(b);
            return new Field(kind == 3 ? a + "," + b : Integer.toString(a), values);
        }

        private static TreeSet<Integer> every(int from, int to, int step) {
            TreeSet<Integer> values = new TreeSet<>();
            for (int value = from; value <= to; value += step) values.add(value);
            return values;
        }

        boolean isOpen() {
            return text.startsWith("*");
        }

        boolean has(int value) {
            return values.contains(value);
        }
    }

    private record Fields(Field minute, Field hour, Field day, Field month, Field week) {
        static Fields random(Random random) {
            Field hour = random.nextBoolean() ? Field.random(random, 0, 3) : Field.random(random, 0, 23);
            if (hour.isOpen()) hour = Field.random(random, 0, 23);
            return new Fields(
                    Field.random(random, 0, 59),
                    hour,
                    random.nextBoolean() ? new Field("*", all(1, 31)) : Field.random(random, 1, 31),
                    new Field("*", all(1, 12)),
                    random.nextBoolean() ? new Field("*", all(0, 6)) : Field.random(random, 0, 6));
        }

        private static TreeSet<Integer> all(int min, int max) {
            TreeSet<Integer> values = new TreeSet<>();
            for (int value = min; value <= max; value++) values.add(value);
            return values;
        }

        boolean has(LocalDateTime time) {
            boolean isOfMonth = day.has(time.getDayOfMonth());
            boolean isOfWeek = week.has(time.getDayOfWeek().getValue() % 7);
            boolean isDay = isOfMonth && isOfWeek;
            if (!day.isOpen() && !week.isOpen()) isDay = isOfMonth || isOfWeek;
            return minute.has(time.getMinute()) && hour.has(time.getHour()) && isDay && month.has(time.getMonthValue());
        }

        @Override
        public String toString() {
            return "%s %s %s %s %s".formatted(minute.text, hour.text, day.text, month.text, week.text);
        }
    }

    static Stream<String> zones() {
        if (!ALL) return CURIOUS.stream();
        return ZoneId.getAvailableZoneIds().stream().sorted().filter(CalendarReferenceTest::isPlace);
    }

    private static boolean isPlace(String zone) {
        try {
            CalendarZones.parse(zone);
            return true;
        } catch (UnreadableExpression other) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("zones")
    void agrees_with_a_walk_minute_by_minute(String name) throws UnreadableExpression {
        ZoneId zone = CalendarZones.parse(name);
        Random random = new Random(name.hashCode());
        List<Fields> expressions = Stream.generate(() -> Fields.random(random))
                .filter(CalendarReferenceTest::comes)
                .limit(EXPRESSIONS)
                .toList();
        for (Instant change : changes(zone.getRules()))
            for (Fields fields : expressions) {
                Instant from = change.minus(Duration.ofHours(14));
                Instant to = change.plus(Duration.ofHours(14));
                var calendar = new CronCalendar(CronExpression.parse(fields.toString()), zone);
                assertThat(due(calendar, from, to))
                        .as("%s in %s from %s on", fields, name, from)
                        .isEqualTo(walk(fields, zone.getRules(), from, to));
            }
    }

    private static boolean comes(Fields fields) {
        try {
            CronExpression.parse(fields.toString());
            return true;
        } catch (UnreadableExpression never) {
            return false;
        }
    }

    private static List<Instant> changes(ZoneRules rules) {
        List<Instant> changes = new ArrayList<>();
        ZoneOffsetTransition change = rules.nextTransition(START);
        while (change != null && change.getInstant().isBefore(END)) {
            changes.add(change.getInstant());
            change = rules.nextTransition(change.getInstant());
        }
        return changes.isEmpty() ? List.of(START) : changes;
    }

    /** Runs by their times, and gaps by how many there are. */
    private static List<String> due(CronCalendar calendar, Instant from, Instant to) {
        List<String> due = new ArrayList<>();
        for (Instant last = from; last.isBefore(to); ) {
            List<CronCalendar.Due> some = calendar.after(last, 1);
            for (CronCalendar.Due each : some) {
                last = each.at();
                if (!last.isAfter(to)) due.add(each.isGap() ? last + " skips " + each.skipped() : last.toString());
            }
            if (some.isEmpty()) break;
        }
        return due;
    }

    private static List<String> walk(Fields fields, ZoneRules rules, Instant from, Instant to) {
        List<String> due = new ArrayList<>();
        boolean isFixed = !fields.hour.isOpen();
        for (Instant at = from.plus(1, ChronoUnit.MINUTES); !at.isAfter(to); at = at.plus(1, ChronoUnit.MINUTES)) {
            ZoneOffset offset = rules.getOffset(at);
            LocalDateTime local = LocalDateTime.ofEpochSecond(at.getEpochSecond(), 0, offset);
            LocalDateTime before =
                    LocalDateTime.ofEpochSecond(at.getEpochSecond() - 60, 0, rules.getOffset(at.minusSeconds(60)));
            int missing = 0;
            for (LocalDateTime gone = before.plusMinutes(1); gone.isBefore(local); gone = gone.plusMinutes(1))
                if (fields.has(gone)) missing++;
            if (isFixed && missing > 0) due.add(at + " skips " + missing);
            boolean isFirst = rules.getValidOffsets(local).getFirst().equals(offset);
            if (fields.has(local) && (isFirst || !isFixed)) due.add(at.toString());
        }
        return due;
    }
}
