package io.floodgate.verification.chaos;

import io.floodgate.topics.limit.Allowance;
import io.floodgate.topics.limit.Pace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** The rate limits of a load, by the ends of their keys: each kind alone, and all of them together. */
public record ChaosLimits(Map<String, Allowance> byName) {
    public ChaosLimits {
        byName = new TreeMap<>(byName);
    }

    /** Together they let through twice what is enqueued in a second. */
    public static ChaosLimits twice(int enqueuesPerSecond) {
        int each = Math.max(2, enqueuesPerSecond * 2 / 5);
        Duration second = Duration.ofSeconds(1);
        return new ChaosLimits(Map.of(
                "one", new Allowance(1L, null, null),
                "few", new Allowance(3L, null, null),
                "window", new Allowance(null, new Pace(each, second), null),
                "long", new Allowance(null, new Pace(each * 5L, Duration.ofSeconds(5)), null),
                "even", new Allowance(null, null, new Pace(each, second)),
                "all", new Allowance(5L, new Pace(each, second), new Pace(each * 2L, second))));
    }

    String any(RandomGenerator random) {
        List<String> names = List.copyOf(byName.keySet());
        return names.get(random.nextInt(names.size()));
    }
}
