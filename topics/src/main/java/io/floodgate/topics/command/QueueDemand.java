package io.floodgate.topics.command;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is to come into one queue together.
 *
 * @param bytes of the jobs as they are stored
 * @param type of the last of them
 * @param tenants how many of them are whose, in the order of names; of interest where a queue bounds its tenants
 */
public record QueueDemand(String queue, long jobs, long bytes, String type, Map<String, Long> tenants) {
    public QueueDemand {
        tenants = Collections.unmodifiableMap(new TreeMap<>(tenants));
    }
}
