package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;
import io.floodgate.topics.queue.WorkerPool;
import org.jspecify.annotations.Nullable;

/** Commands to pools of workers, each in the partition that the pool's name leads to. */
public sealed interface PoolCommand extends Command {
    String pool();

    /** Defines a pool, or changes it. */
    record PutPool(@Wire.Inline WorkerPool definition) implements PoolCommand {
        @Override
        public String pool() {
            return definition.name();
        }
    }

    record GetPool(@Wire.Name("name") String pool) implements PoolCommand {}

    record DeletePool(@Wire.Name("name") String pool) implements PoolCommand {}

    /** Pools of this partition, by name, one a line. */
    record ListPools(
            @Wire.Least(1) @Wire.Capped(ListPools.MAX_LIMIT) int limit,
            @Nullable String after) implements Command {
        public static final int MAX_LIMIT = 1_000;
    }
}
