package io.floodgate.gateway.explain;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers, times and durations as people read them. */
final class Words {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** As "1 job" or "1,204 jobs". */
    static String count(long number, String noun) {
        return "%s %s%s".formatted(number(number), noun, number == 1 ? "" : "s");
    }

    /** As the beginning of a sentence. */
    static String capital(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    /** As "480/s"; slow ones by the minute. */
    static String rate(double perSecond) {
        if (perSecond <= 0) return "0/s";
        if (perSecond >= 10) return number(Math.round(perSecond)) + "/s";
        if (perSecond >= 0.95) return String.format(Locale.ROOT, "%.1f/s", perSecond);
        double perMinute = perSecond * 60;
        return perMinute >= 0.95
                ? String.format(Locale.ROOT, "%.0f/min", perMinute)
                : String.format(Locale.ROOT, "%.1f/h", perSecond * 3_600);
    }

    /** As "480 jobs/s". */
    static String jobRate(double perSecond) {
        String rate = rate(perSecond);
        return rate.replace("/", rate.startsWith("1/") ? " job/" : " jobs/");
    }

    static String percent(double share) {
        return Math.round(share * 100) + "%";
    }

    /** In two units at most, as "3 min 20 s". */
    static String duration(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) return seconds == 0 && duration.toMillis() > 0 ? duration.toMillis() + " ms" : seconds + " s";
        if (seconds < 3_600) return two(seconds / 60, "min", seconds % 60, "s");
        if (seconds < 86_400) return two(seconds / 3_600, "h", seconds % 3_600 / 60, "min");
        return two(seconds / 86_400, "d", seconds % 86_400 / 3_600, "h");
    }

    static String seconds(double seconds) {
        return duration(Duration.ofMillis((long) Math.min(seconds * 1_000, Long.MAX_VALUE / 2.0)));
    }

    private static String two(long large, String unit, long small, String smaller) {
        return small == 0 ? large + " " + unit : "%d %s %d %s".formatted(large, unit, small, smaller);
    }

    /** The time of day; with the date if it is more than half a day away. */
    static String time(Instant time, Instant now) {
        boolean isNear = Duration.between(time, now).abs().compareTo(Duration.ofHours(12)) < 0;
        return (isNear ? CLOCK : DATE).format(time);
    }

    static String bytes(long bytes) {
        if (bytes < 1_024) return count(bytes, "byte");
        double kib = bytes / 1_024.0;
        if (kib < 1_024) return String.format(Locale.ROOT, "%.1f KiB", kib);
        double mib = kib / 1_024;
        return mib < 1_024
                ? String.format(Locale.ROOT, "%.1f MiB", mib)
                : String.format(Locale.ROOT, "%.1f GiB", mib / 1_024);
    }

    /** A name that may have any characters, as a segment of a path. */
    static String inPath(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
