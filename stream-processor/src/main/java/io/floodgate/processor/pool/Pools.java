package io.floodgate.processor.pool;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.PoolCommand.DeletePool;
import io.floodgate.topics.command.PoolCommand.GetPool;
import io.floodgate.topics.command.PoolCommand.ListPools;
import io.floodgate.topics.command.PoolCommand.PutPool;
import io.floodgate.topics.command.PoolCommandTypes;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.WorkerPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Definitions of pools of workers. Gateways ask for them, and put the queues of a fetch into an order by them. */
public final class Pools implements Entity {
    private static final StoredForm<WorkerPool> STORED = new StoredForm<>(WorkerPool.class, 1, "a pool of workers");
    /** Most pools in one partition. */
    private static final int MOST = 1_000;

    private static final Section SECTION = Section.of("pool");

    private final KeyValues stored;
    private final Effects out;

    public Pools(PartitionContext context) {
        stored = context.entities();
        out = context.out();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(PutPool.class, this::put);
        handlers.on(GetPool.class, this::show);
        handlers.on(DeletePool.class, this::delete);
        handlers.on(ListPools.class, this::list);
    }

    private void put(PutPool command) {
        WorkerPool pool = command.definition();
        WorkerPool before = find(pool.name());
        if (before == null && names(MOST).size() == MOST) {
            out.reject(Rejection.of(
                    ErrorCode.BACKEND_UNAVAILABLE,
                    "The partition of this pool has %d pools: no other one comes in.".formatted(MOST)));
            return;
        }
        stored.put(SECTION.key(pool.name()), STORED.write(pool));
        if (before == null
                || before.sharing() != pool.sharing()
                || !before.queues().equals(pool.queues()))
            out.emit(
                    "scheduling.rebalanced",
                    pool.name(),
                    "pool:" + pool.name(),
                    JsonOut.object()
                            .field("pool", pool.name())
                            .optional(
                                    "previous_strategy",
                                    before == null ? null : before.sharing().wire())
                            .field("new_strategy", pool.sharing().wire())
                            .endObject());
        JsonOut shown = JsonOut.object().field("created", before == null);
        PoolCommandTypes.write(pool, shown);
        out.reply(shown.endObject());
    }

    private void show(GetPool command) {
        WorkerPool pool = find(command.pool());
        if (pool == null) out.reject(notFound(command.pool()));
        else out.reply(line(pool));
    }

    private void delete(DeletePool command) {
        if (find(command.pool()) == null) {
            out.reject(notFound(command.pool()));
            return;
        }
        stored.delete(SECTION.key(command.pool()));
        out.reply(JsonOut.object().field("deleted", true).endObject());
    }

    private void list(ListPools command) {
        String after = command.after() == null ? "" : command.after();
        JsonOut lines = new JsonOut(4_096);
        int[] count = {0};
        SECTION.scan(stored, (name, value) -> {
            if (name.compareTo(after) <= 0) return true;
            lines.append(line(STORED.read(value))).newLine();
            return ++count[0] < command.limit();
        });
        out.reply(lines);
    }

    private static Rejection notFound(String pool) {
        return Rejection.notFound("pool", Limits.echo(pool));
    }

    private static JsonOut line(WorkerPool pool) {
        JsonOut line = JsonOut.object();
        PoolCommandTypes.write(pool, line);
        return line.endObject();
    }

    private List<String> names(int most) {
        List<String> names = new ArrayList<>();
        SECTION.scan(stored, (name, value) -> names.add(name) && names.size() < most);
        return names;
    }

    private @Nullable WorkerPool find(String name) {
        byte[] value = stored.get(SECTION.key(name));
        return value == null ? null : STORED.read(value);
    }

    /** Deletes up to {@code most} pools for a reset. */
    @Override
    public boolean clear(int most) {
        List<String> names = names(most);
        names.forEach(name -> stored.delete(SECTION.key(name)));
        return names.size() < most;
    }
}
