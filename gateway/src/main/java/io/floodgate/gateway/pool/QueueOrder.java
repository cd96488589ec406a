package io.floodgate.gateway.pool;

import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Partitions;
import io.floodgate.gateway.http.RequestFields;
import io.floodgate.gateway.queue.StatusTable;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommandTypes;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order in which a fetch looks into its queues: as it says itself, or as its pool does. */
public final class QueueOrder {
    /** A pool that was changed counts by then. */
    private static final Duration KNOWN_FOR = Duration.ofSeconds(2);

    private static final int MOST_KNOWN = 1_000;

    private final Partitions partitions;
    private final QueueTurns turns;
    private final Map<String, Known> pools = new LinkedHashMap<>(64, 0.75f, true);

    /**
     * The wish of a fetch about the order of its queues.
     *
     * @param pool whose queues and weights count instead of its own
     */
    public record Wish(@Nullable String pool, @Nullable QueueSharing sharing, Map<String, Integer> weights) {
        public static final Wish NONE = new Wish(null, null, Map.of());

        public static Wish read(RequestFields body, int longestName) throws RejectedException {
            String pool = body.text("pool", longestName);
            QueueSharing sharing = SharingFields.sharing(body);
            if (pool == null && sharing == null) return NONE;
            return new Wish(pool, sharing, SharingFields.weights(body));
        }
    }

    private record Known(WorkerPool pool, long at) {}

    public QueueOrder(Partitions partitions, StatusTable table) {
        this.partitions = partitions;
        turns = new QueueTurns(queue -> table.number(queue, "available"));
    }

    /** @param named the queues that the fetch names; none for all of its pool */
    public List<String> of(Call call, List<String> named, Wish wish) throws CommandFailed, RejectedException {
        String name = wish.pool();
        if (name == null) {
            QueueSharing sharing = wish.sharing();
            return sharing == null ? named : turns.order("", sharing, weights(named, wish.weights()));
        }
        WorkerPool pool = find(call, name);
        Map<String, Integer> queues = new LinkedHashMap<>(pool.queues());
        if (!named.isEmpty()) queues.keySet().retainAll(named);
        if (queues.isEmpty())
            throw RequestFields.wrong("queues", "None of these queues is one of pool '%s'.".formatted(name));
        return turns.order(name, pool.sharing(), queues);
    }

    private static Map<String, Integer> weights(List<String> queues, Map<String, Integer> given) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        for (String queue : queues) weights.put(queue, given.getOrDefault(queue, 1));
        return weights;
    }

    /** Returns the pool. While its partition does not answer, the last known state counts. */
    private WorkerPool find(Call call, String name) throws CommandFailed, RejectedException {
        Known known = known(name);
        long now = System.nanoTime();
        if (known != null && now - known.at < KNOWN_FOR.toNanos()) return known.pool;
        try {
            WorkerPool pool =
                    PoolCommandTypes.read(partitions.from(call).ofPool(name).askLine(new GetPool(name)));
            keep(name, new Known(pool, now));
            return pool;
        } catch (CommandFailed silent) {
            if (known == null) throw silent;
            keep(name, new Known(known.pool, now));
            return known.pool;
        }
    }

    private synchronized @Nullable Known known(String name) {
        return pools.get(name);
    }

    private synchronized void keep(String name, Known known) {
        pools.put(name, known);
        if (pools.size() <= MOST_KNOWN) return;
        Iterator<Known> eldest = pools.values().iterator();
        eldest.next();
        eldest.remove();
    }
}
