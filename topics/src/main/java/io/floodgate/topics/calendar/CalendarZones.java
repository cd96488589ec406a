package io.floodgate.topics.calendar;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.Set;

/** Time zones by the names of the IANA database. */
public final class CalendarZones {
    /** The database has these names, too, but they are abbreviations that mean different times in different places. */
    private static final Set<String> ABBREVIATIONS = Set.of("EST", "MST", "HST", "CET", "EET", "MET", "WET");

    private static final Set<String> KNOWN = Set.copyOf(ZoneId.getAvailableZoneIds());

    private CalendarZones() {}

    public static ZoneId parse(String name) throws UnreadableExpression {
        boolean isRefused = ABBREVIATIONS.contains(name) || name.startsWith("SystemV/");
        if (KNOWN.contains(name) && !isRefused) return ZoneId.of(name);
        String shown = name.length() > 64 ? name.substring(0, 64) + "…" : name;
        throw new UnreadableExpression(
                "timezone",
                "'%s' is no time zone: give a name of the IANA database, such as 'Europe/Berlin' or 'UTC'. Offsets and abbreviations do not say when clocks are changed."
                        .formatted(shown));
    }

    /** The version of the time zone database, as in {@code 2025b}. */
    public static String version() {
        return ZoneRulesProvider.getVersions("UTC").lastEntry().getKey();
    }
}
