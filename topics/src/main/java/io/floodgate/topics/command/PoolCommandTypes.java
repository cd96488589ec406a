package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.POOL;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.CommandType.rows;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.json.WireName;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Commands to pools of workers. */
public final class PoolCommandTypes {
    static final List<CommandType<?>> ROWS = rows(
            command("put-pool", PoolCommand.PutPool.class, POOL, WORK, "Defines a pool of workers, or changes it.")
                    .bounded(c -> {
                        Limits.name("name", c.pool());
                        Limits.most("queues", c.definition().queues().size(), WorkerPool.MOST_QUEUES);
                    }),
            query("get-pool", PoolCommand.GetPool.class, POOL, READS, "Returns a pool of workers."),
            command("delete-pool", PoolCommand.DeletePool.class, POOL, WORK, "Forgets a pool of workers."),
            query(
                    "list-pools",
                    PoolCommand.ListPools.class,
                    PARTITION,
                    SEARCHES,
                    "Lists the pools of workers of this partition."));

    private PoolCommandTypes() {}

    /** As replies show it, too. */
    public static void write(WorkerPool pool, JsonOut out) {
        out.field("name", pool.name())
                .field("strategy", pool.sharing().wire())
                .field("queues", List.copyOf(pool.queues().keySet()))
                .beginObject("weights");
        pool.queues().forEach((queue, weight) -> out.field(queue, weight));
        out.endObject();
    }

    static WorkerPool read(JsonFields in) throws UnreadableCommand, MalformedJson {
        String sharing = in.text("strategy");
        Map<String, Long> weights = in.naturals("weights");
        LinkedHashMap<String, Integer> queues = new LinkedHashMap<>();
        for (String queue : in.texts("queues")) {
            long weight = weights.getOrDefault(queue, 1L);
            if (weight < 1 || weight > WorkerPool.MOST_WEIGHT)
                throw new UnreadableCommand("A weight is 1 to %d.".formatted(WorkerPool.MOST_WEIGHT));
            queues.put(queue, (int) weight);
        }
        if (queues.isEmpty()) throw new UnreadableCommand("'queues' must not be empty.");
        return new WorkerPool(
                in.text("name"),
                WireName.parse(QueueSharing.class, sharing)
                        .orElseThrow(() -> new UnreadableCommand("'%s' is no strategy.".formatted(sharing))),
                queues);
    }

    /** The pool of a reply; its partition has written it. */
    public static WorkerPool read(byte[] reply) {
        try {
            return read(JsonFields.of(reply));
        } catch (UnreadableCommand | MalformedJson unreadable) {
            throw new IllegalStateException("a pool that cannot be read", unreadable);
        }
    }
}
