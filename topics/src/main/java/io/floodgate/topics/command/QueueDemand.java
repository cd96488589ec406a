package io.floodgate.topics.command;

import java.util.Map;

/**
 * What is to come into one queue together.
 *
 * @param bytes of the jobs as they are stored
 * @param type of the last of them
 * @param tenants how many of them are whose; of interest where a queue bounds its tenants
 */
public record QueueDemand(String queue, long jobs, long bytes, String type, Map<String, Long> tenants) {
    public QueueDemand {
        tenants = Map.copyOf(tenants);
    }
}
