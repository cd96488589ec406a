package io.floodgate.topics.limit;

import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;

/** The most starts within a period. */
public record Pace(long starts, Duration period) {
    public static final long MOST_STARTS = 1_000_000_000;

    public static final Duration SHORTEST = Duration.ofMillis(1);

    public static final Duration LONGEST = Duration.ofDays(366);

    public Pace {
        if (starts < 1 || starts > MOST_STARTS || period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0)
            throw new IllegalArgumentException("no pace: %d in %s".formatted(starts, period));
    }

    void write(String name, JsonOut out) {
        out.beginObject(name)
                .field("limit", starts)
                .field("period", Durations.format(period))
                .endObject();
    }
}
