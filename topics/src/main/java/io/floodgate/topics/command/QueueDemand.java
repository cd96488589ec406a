package io.floodgate.topics.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.topics.json.Wire;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is to come into one queue together.
 *
 * @param bytes of the jobs as they are stored
 * @param type of the last of them
 * @param tenants how many of them are whose, in the order of names; of interest where a queue bounds its tenants
 */
public record QueueDemand(
        String queue,
        @Wire.Least(0) long jobs,
        @Wire.Least(0) long bytes,
        @Wire.Name("job_type") String type,
        Map<String, Long> tenants) {
    public QueueDemand {
        tenants = Collections.unmodifiableMap(new TreeMap<>(tenants));
    }

    /** No more than a batch can have. */
    static void check(List<QueueDemand> demands) throws UnreadableCommand {
        Limits.most("queues", demands.size(), Limits.JOBS_OF_A_BATCH);
        Set<String> seen = new HashSet<>();
        long jobs = 0;
        long bytes = 0;
        for (QueueDemand demand : demands) {
            Limits.name("queue", demand.queue());
            if (!seen.add(demand.queue()))
                throw new UnreadableCommand("The queue '%s' stands twice.".formatted(Limits.echo(demand.queue())));
            Limits.name("job_type", demand.type());
            jobs += within("jobs", demand.jobs(), Limits.JOBS_OF_A_BATCH);
            bytes += within("bytes", demand.bytes(), Limits.BYTES_OF_A_BATCH);
            tenants(demand);
        }
        within("jobs", jobs, Limits.JOBS_OF_A_BATCH);
        within("bytes", bytes, Limits.BYTES_OF_A_BATCH);
    }

    private static void tenants(QueueDemand demand) throws UnreadableCommand {
        long jobs = 0;
        for (Map.Entry<String, Long> own : demand.tenants().entrySet()) {
            Limits.name("tenants", own.getKey());
            jobs += within("tenants", own.getValue(), demand.jobs());
        }
        within("tenants", jobs, demand.jobs());
    }

    private static long within(String field, long number, long most) throws UnreadableCommand {
        if (number > most)
            throw new UnreadableCommand("'%s' is %d; at most %d are accepted.".formatted(field, number, most));
        return number;
    }

    /** What they take in a message, at most. */
    static long bytes(List<QueueDemand> demands) {
        long bytes = 0;
        for (QueueDemand demand : demands) {
            bytes += 100 + demand.queue().length() + demand.type().getBytes(UTF_8).length;
            for (String tenant : demand.tenants().keySet()) bytes += 10 + tenant.getBytes(UTF_8).length;
        }
        return bytes;
    }
}
