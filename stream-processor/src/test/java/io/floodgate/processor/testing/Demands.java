package io.floodgate.processor.testing;

import io.floodgate.topics.command.QueueDemand;
import io.floodgate.topics.job.Envelope;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.job.UnreadableJob;
import io.floodgate.topics.queue.TenantId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the sender of a batch announces of it. */
public final class Demands {
    private Demands() {}

    /** By queue, in the order in which the jobs name them. */
    public static List<QueueDemand> of(List<byte[]> jobs) {
        Map<String, QueueDemand> demands = new LinkedHashMap<>();
        for (byte[] json : jobs) {
            Envelope job = read(json);
            demands.merge(
                    job.queue(),
                    new QueueDemand(
                            job.queue(), 1, job.storedBytes(), job.type(), Map.of(TenantId.of(job.members()), 1L)),
                    Demands::sum);
        }
        return new ArrayList<>(demands.values());
    }

    private static Envelope read(byte[] json) {
        try {
            return EnvelopeReader.read(json);
        } catch (UnreadableJob unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }

    private static QueueDemand sum(QueueDemand a, QueueDemand b) {
        Map<String, Long> tenants = new TreeMap<>(a.tenants());
        b.tenants().forEach((tenant, jobs) -> tenants.merge(tenant, jobs, Long::sum));
        return new QueueDemand(a.queue(), a.jobs() + b.jobs(), a.bytes() + b.bytes(), b.type(), tenants);
    }
}
