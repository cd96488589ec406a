package io.floodgate.topics.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The number of brokers on which topics are kept.
 *
 * @param factor of topics that are made
 * @param allowsUnsafe whether topics are used of which a broker that fails may take acknowledged records with it
 */
public record Replication(short factor, boolean allowsUnsafe) {
    static final String MIN_INSYNC = "min.insync.replicas";

    /** Replication of a single broker. */
    public static final Replication NONE = new Replication((short) 1, false);

    public Replication(short factor) {
        this(factor, false);
    }

    /**
     * Returns the in-sync replicas of a topic with this replication: one broker may fail, and what is acknowledged is
     * on all that are left.
     */
    public static int minInsync(int factor) {
        return Math.max(1, factor - 1);
    }

    /**
     * Returns a warning; throws an {@link IllegalStateException} for what is not allowed.
     *
     * @param copies of each topic
     * @param insync how many of them must have what is acknowledged
     */
    Optional<String> complaint(Map<String, Integer> copies, Map<String, Integer> insync) {
        List<String> unsafe = new ArrayList<>();
        copies.forEach((topic, replicas) -> {
            int min = insync.getOrDefault(topic, 1);
            if (min > replicas)
                throw new IllegalStateException(
                        "Nothing can be written to topic %s: it has %d replicas and %s=%d. Set that to %d."
                                .formatted(topic, replicas, MIN_INSYNC, min, minInsync(replicas)));
            if (min < minInsync(replicas)) unsafe.add("%s (%d of %d)".formatted(topic, min, replicas));
        });
        if (unsafe.isEmpty()) return Optional.empty();
        String complaint =
                "A broker that fails may take with it what these topics have acknowledged, since %s is too low: %s. Set it to the number of replicas less one (kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config %s=N)"
                        .formatted(MIN_INSYNC, String.join(", ", unsafe), MIN_INSYNC);
        if (!allowsUnsafe)
            throw new IllegalStateException(complaint + ", or accept the loss with --allow-unsafe-replication.");
        return Optional.of(complaint + ".");
    }

    /** Returns the full configuration of a new topic: the brokers' own default is 1. */
    public Map<String, String> with(Map<String, String> config) {
        return with(config, factor);
    }

    /** Returns the full configuration of a new topic with this replication. */
    public static Map<String, String> with(Map<String, String> config, int factor) {
        Map<String, String> all = new TreeMap<>(config);
        all.put(MIN_INSYNC, Integer.toString(minInsync(factor)));
        return all;
    }
}
