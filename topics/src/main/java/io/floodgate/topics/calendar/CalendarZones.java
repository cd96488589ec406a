package io.floodgate.topics.calendar;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.Set;

/** Time zones by the names of the IANA database. */
public final class CalendarZones {
    private static final Set<String> WITHOUT_PLACE = Set.of("UTC", "GMT");
    private static final Set<String> KNOWN = Set.copyOf(ZoneId.getAvailableZoneIds());

    private CalendarZones() {}

    public static ZoneId parse(String name) throws UnreadableExpression {
        boolean isOffset = name.matches("Etc/GMT[+-]?\\d+") || name.startsWith("SystemV/");
        boolean isPlace = name.indexOf('/') > 0 || WITHOUT_PLACE.contains(name);
        if (KNOWN.contains(name) && isPlace && !isOffset) return ZoneId.of(name);
        String shown = name.length() > 64 ? name.substring(0, 64) + "…" : name;
        throw new UnreadableExpression(
                "timezone",
                "'%s' is no time zone: name a place, as in 'Europe/Berlin', or 'UTC'. Offsets and abbreviations do not say when clocks are changed."
                        .formatted(shown));
    }

    /** The version of the time zone database, as in {@code 2025b}. */
    public static String version() {
        return ZoneRulesProvider.getVersions("UTC").lastEntry().getKey();
    }
}
