package io.floodgate.topics.command;

import static io.floodgate.topics.command.CommandType.Owner.PARTITION;
import static io.floodgate.topics.command.CommandType.Owner.POOL;
import static io.floodgate.topics.command.CommandType.command;
import static io.floodgate.topics.command.CommandType.query;
import static io.floodgate.topics.command.TrafficClass.READS;
import static io.floodgate.topics.command.TrafficClass.SEARCHES;
import static io.floodgate.topics.command.TrafficClass.WORK;

import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.queue.QueueSharing;
import io.floodgate.topics.queue.WorkerPool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Commands to pools of workers. */
public final class PoolCommandTypes {
    static final List<CommandType<?>> ROWS = List.of(
            command(PutPool.class, POOL, WORK, "Defines a pool of workers, or changes it.")
                    .json("put-pool", (c, out) -> write(c.definition(), out), in -> new PutPool(read(in)))
                    .bounded(c -> {
                        Limits.name("name", c.pool());
                        Limits.most("queues", c.definition().queues().size(), WorkerPool.MOST_QUEUES);
                    }),
            query(GetPool.class, POOL, READS, "Returns a pool of workers.")
                    .json("get-pool", (c, out) -> out.field("name", c.pool()), in -> new GetPool(in.text("name")))
                    .bounded(c -> Limits.name("name", c.pool())),
            command(DeletePool.class, POOL, WORK, "Forgets a pool of workers.")
                    .json("delete-pool", (c, out) -> out.field("name", c.pool()), in -> new DeletePool(in.text("name")))
                    .bounded(c -> Limits.name("name", c.pool())),
            query(ListPools.class, PARTITION, SEARCHES, "Lists the pools of workers of this partition.")
                    .json(
                            "list-pools",
                            (c, out) -> out.field("limit", c.limit()).optional("after", c.after()),
                            in -> new ListPools(in.count("limit", ListPools.MAX_LIMIT), in.optionalText("after")))
                    .bounded(c -> Limits.name("after", c.after())));

    private PoolCommandTypes() {}

    /** As replies show it, too. */
    public static void write(WorkerPool pool, JsonOut out) {
        out.field("name", pool.name())
                .field("strategy", pool.sharing().wire())
                .field("queues", List.copyOf(pool.queues().keySet()))
                .name("weights")
                .beginObject();
        pool.queues().forEach((queue, weight) -> out.field(queue, weight));
        out.endObject();
    }

    private static WorkerPool read(JsonFields in) throws UnreadableCommand, MalformedJson {
        String sharing = in.text("strategy");
        Map<String, Long> weights = in.naturals("weights");
        LinkedHashMap<String, Integer> queues = new LinkedHashMap<>();
        for (String queue : in.queues("queues")) {
            long weight = weights.getOrDefault(queue, 1L);
            if (weight < 1 || weight > WorkerPool.MOST_WEIGHT)
                throw new UnreadableCommand("A weight is 1 to %d.".formatted(WorkerPool.MOST_WEIGHT));
            queues.put(queue, (int) weight);
        }
        return new WorkerPool(
                in.text("name"),
                QueueSharing.parse(sharing)
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
