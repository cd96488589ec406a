package io.floodgate.gateway.capacity;

import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.queue.TenantId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs that are to come into one queue together, and have their ids. */
public final class Demand {
    private static final long UNKNOWN = -1;

    private final List<Envelope> jobs;
    private final From from;
    private long bytes = UNKNOWN;
    private @Nullable Map<String, Long> tenants;

    /**
     * @param producer by its name; null for one that has none
     * @param waits for room, in a queue that blocks
     * @param madeIds whether the ids were made here: whether others are taken already, only a partition can say
     */
    public record From(@Nullable String producer, boolean waits, boolean madeIds) {}

    /** @param jobs of one queue, one at least */
    public Demand(List<Envelope> jobs, From from) {
        this.jobs = jobs;
        this.from = from;
    }

    /** One demand for each queue, in the order in which the jobs name the queues. */
    public static List<Demand> byQueue(List<Envelope> jobs, From from) {
        Map<String, List<Envelope>> byQueue = new LinkedHashMap<>();
        for (Envelope job : jobs)
            byQueue.computeIfAbsent(job.queue(), queue -> new ArrayList<>()).add(job);
        return byQueue.values().stream().map(own -> new Demand(own, from)).toList();
    }

    public String queue() {
        return jobs.getFirst().queue();
    }

    String type() {
        return jobs.getLast().type();
    }

    Set<String> types() {
        return jobs.size() == 1
                ? Set.of(type())
                : jobs.stream().map(Envelope::type).collect(Collectors.toSet());
    }

    int jobs() {
        return jobs.size();
    }

    public List<Envelope> envelopes() {
        return jobs;
    }

    public From from() {
        return from;
    }

    /** Counted as the partition counts them, and only for queues whose size is bounded: it takes a while. */
    long bytes() {
        if (bytes == UNKNOWN)
            bytes = jobs.stream().mapToLong(Envelope::storedBytes).sum();
        return bytes;
    }

    /**
     * Returns the number of jobs of each tenant; called only where a tenant was rejected before, since it takes a
     * while.
     */
    Map<String, Long> tenants() {
        Map<String, Long> known = tenants;
        if (known != null) return known;
        Map<String, Long> counted = new TreeMap<>();
        for (Envelope job : jobs) counted.merge(TenantId.of(job.members()), 1L, Long::sum);
        tenants = counted;
        return counted;
    }

    /** The same in few bytes. */
    public QueueDemand asQuestion() {
        return new QueueDemand(queue(), jobs(), bytes(), type(), tenants());
    }
}
