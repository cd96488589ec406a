package io.floodgate.gateway.admin;

import io.floodgate.topics.event.OjsEvent;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.json.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Jobs that queues have rejected lately because a tenant was at its bound, as far as the events that this gateway keeps say. */
public final class RejectedJobs {
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final String TYPE = "backpressure.rejected";

    private record Share(String tenant, String queue) {}

    private final Map<Share, Long> counts = new HashMap<>();

    private RejectedJobs() {}

    static RejectedJobs of(List<OjsEvent> events, Instant now) {
        RejectedJobs rejected = new RejectedJobs();
        Instant since = now.minus(WINDOW);
        for (OjsEvent event : events) {
            if (!event.type().equals(TYPE)) continue;
            if (Timestamps.parse(event.time()).orElse(Instant.EPOCH).isBefore(since)) continue;
            JsonNode data = Json.tree(event.json()).path("data");
            String tenant = data.path("tenant_id").asString("");
            if (tenant.isEmpty()) continue;
            Share share = new Share(tenant, data.path("queue").asString(""));
            rejected.counts.merge(share, data.path("count").longValue(1), Long::sum);
        }
        return rejected;
    }

    long of(String tenant, String queue) {
        return counts.getOrDefault(new Share(tenant, queue), 0L);
    }

    /** Returns the queues that have rejected jobs of the tenant. */
    List<String> queues(String tenant) {
        return counts.keySet().stream()
                .filter(share -> share.tenant.equals(tenant))
                .map(Share::queue)
                .toList();
    }

    /** Returns the tenants with the most rejected jobs. */
    List<String> tenants(int most) {
        Map<String, Long> byTenant = new HashMap<>();
        counts.forEach((share, count) -> byTenant.merge(share.tenant, count, Long::sum));
        return byTenant.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }
}
