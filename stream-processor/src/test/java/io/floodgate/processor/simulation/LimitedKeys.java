package io.floodgate.processor.simulation;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The limits in a {@link LimitStorm}: each kind alone, and all together. */
final class LimitedKeys {
    static final String OVERRIDDEN = "overridden";
    static final int MOST_OVERRIDDEN = 4;

    private static final Map<String, Allowance> OF_KEYS = new TreeMap<>(Map.of(
            "one",
            new Allowance(1L, null, null),
            "three",
            new Allowance(3L, null, null),
            "window",
            new Allowance(null, pace(2, 1_000), null),
            "wide",
            new Allowance(null, pace(5, 3_000), null),
            "even",
            new Allowance(null, null, pace(5, 1_000)),
            "fast",
            new Allowance(null, null, pace(300, 1_000)),
            "all",
            new Allowance(2L, pace(4, 1_000), pace(10, 1_000)),
            OVERRIDDEN,
            new Allowance(2L, null, null)));

    static final Map<String, Allowance> OF_QUEUES = new TreeMap<>(Map.of(
            "mail", new Allowance(2L, null, null),
            "sms", new Allowance(null, pace(3, 1_000), null)));

    private LimitedKeys() {}

    private static Pace pace(long starts, long millis) {
        return new Pace(starts, Duration.ofMillis(millis));
    }

    /** What never may be exceeded, whatever operators said. */
    static Allowance most(String key) {
        Allowance allowance = OF_KEYS.getOrDefault(key, Allowance.UNLIMITED);
        return key.equals(OVERRIDDEN) ? new Allowance((long) MOST_OVERRIDDEN, null, null) : allowance;
    }

    /** A job's member about its limit, or none. */
    static String any(Chance chance) {
        if (chance.oneIn(8)) return "";
        String key = chance.pick(List.copyOf(OF_KEYS.keySet()));
        JsonOut limit = JsonOut.object().field("key", key);
        OF_KEYS.get(key).write(limit);
        String onLimit = chance.oneOf("wait", "wait", "wait", "wait", "reschedule", "drop");
        byte[] json = limit.field("on_limit", onLimit).endObject().toBytes();
        return ",\"rate_limit\":" + new String(json, StandardCharsets.UTF_8);
    }
}
