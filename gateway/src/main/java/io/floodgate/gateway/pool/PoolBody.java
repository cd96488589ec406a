package io.floodgate.gateway.pool;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.job.EnvelopeReader;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pool as it is sent: its queues are a list, or an object with their weights. */
final class PoolBody {
    private static final String QUEUES = "queues";

    private static final Set<String> KNOWN = Set.of(
            "name",
            QUEUES,
            "weights",
            "strategy",
            "concurrency",
            "starvation_prevention",
            "isolation",
            "created_at",
            "updated_at");

    private PoolBody() {}

    static WorkerPool read(String name, RequestFields sent) throws RejectedException {
        RequestFields body = sent.has("pool") ? sent.object("pool") : sent;
        String named = body.text("name");
        if (named != null && !named.equals(name))
            throw body.fault("name", "The '%s' field must be the name in the path.");
        for (String unsupported : new String[] {"concurrency", "starvation_prevention", "isolation"})
            if (body.has(unsupported)) throw unsupported(body.path(unsupported));
        SequencedMap<String, Integer> queues = queues(body);
        body.only(KNOWN);
        if (queues.isEmpty()) throw body.fault(QUEUES, "The '%s' field must name at least one queue.");
        if (queues.size() > WorkerPool.MOST_QUEUES)
            throw body.fault(QUEUES, "The '%s' field may name at most " + WorkerPool.MOST_QUEUES + " queues.");
        for (String queue : queues.keySet())
            if (!EnvelopeReader.isQueueName(queue))
                throw RequestFields.wrong(
                        body.path(QUEUES), "'%s' cannot be the name of a queue.".formatted(Limits.echo(queue)));
        for (Map.Entry<String, Integer> weight : SharingFields.weights(body).entrySet()) {
            if (!queues.containsKey(weight.getKey()))
                throw body.fault("weights", "The '%s' field may name queues of the pool only.");
            queues.put(weight.getKey(), weight.getValue());
        }
        @Nullable QueueSharing sharing = SharingFields.sharing(body);
        return new WorkerPool(name, sharing == null ? QueueSharing.ROUND_ROBIN : sharing, queues);
    }

    private static SequencedMap<String, Integer> queues(RequestFields body) throws RejectedException {
        SequencedMap<String, Integer> queues = new LinkedHashMap<>();
        if (!body.has(QUEUES)) return queues;
        if (body.isArray(QUEUES)) {
            for (String queue : body.texts(QUEUES)) queues.put(queue, 1);
            return queues;
        }
        RequestFields sent = body.object(QUEUES);
        for (String queue : sent.names())
            queues.put(queue, sent.has(queue) ? SharingFields.weight(sent.object(queue), "weight") : 1);
        return queues;
    }

    /** Rejects a field that would be shown and do nothing. */
    private static RejectedException unsupported(String field) {
        return new RejectedException(Rejection.of(
                        ErrorCode.UNSUPPORTED,
                        "Pools order the queues of fetches; '%s' is not supported. Bound what runs by a rate limit's concurrency, and confine workers to queues by their keys."
                                .formatted(field))
                .with("field", field));
    }
}
