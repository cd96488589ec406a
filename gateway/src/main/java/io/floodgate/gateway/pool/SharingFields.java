package io.floodgate.gateway.pool;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code strategy} and {@code weights}, as pools and fetches have them (OJS fair scheduling §5.2 and §6.1). */
public final class SharingFields {
    private static final String STRATEGY = "strategy";
    private static final String WEIGHTS = "weights";

    private SharingFields() {}

    /** Null if it does not say. */
    public static @Nullable QueueSharing sharing(RequestFields body) throws RejectedException {
        String named = body.text(STRATEGY);
        if (named == null) return body.has(WEIGHTS) ? QueueSharing.WEIGHTED : null;
        return WireName.parse(QueueSharing.class, named)
                .orElseThrow(() ->
                        body.fault(STRATEGY, "The '%s' field must be strict, round-robin, weighted or least-loaded."));
    }

    /** Reads the weights by queue. */
    public static Map<String, Integer> weights(RequestFields body) throws RejectedException {
        Map<String, Integer> weights = new LinkedHashMap<>();
        if (!body.has(WEIGHTS)) return weights;
        RequestFields sent = body.object(WEIGHTS);
        if (sent.names().size() > WorkerPool.MOST_QUEUES)
            throw body.fault(WEIGHTS, "The '%s' field may name at most " + WorkerPool.MOST_QUEUES + " queues.");
        for (String queue : sent.names()) weights.put(queue, weight(sent, queue));
        return weights;
    }

    static int weight(RequestFields in, String name) throws RejectedException {
        long weight = in.number(name).orElse(1L);
        if (weight >= 1 && weight <= WorkerPool.MOST_WEIGHT) return (int) weight;
        throw RequestFields.wrong(
                in.path(name), "A weight must be a whole number from 1 to %d.".formatted(WorkerPool.MOST_WEIGHT));
    }
}
