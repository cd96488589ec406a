package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.AdminCommand.Maintain;
import io.floodgate.topics.json.JsonOut;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maintenance of a partition: no queue of it hands out jobs, as if all were paused; all else goes on (OJS admin §12.1).
 */
public final class Maintenance implements Entity {
    private static final String END = "end-maintenance";

    /** Queues that are looked at in one slice, once jobs are handed out again. */
    private static final int SLICE = 1_000;

    private record State(
            Instant since,
            @Nullable String reason,
            @Nullable Instant until) {
        static final StoredForm<State> STORED = new StoredForm<>(State.class, 1, "the maintenance mode of a partition");
    }

    private final KeyValues entities;
    private final byte[] key;
    private final Queues queues;
    private final Work work;
    private final Undo undo;
    private final Effects out;
    private @Nullable State state;

    public Maintenance(Queues queues, PartitionContext context) {
        this.entities = context.entities();
        this.key = Keys.maintenance();
        this.queues = queues;
        this.work = context.work();
        this.undo = context.undo();
        this.out = context.out();
        context.work().register(END, piece -> serveAgain(new String(piece.cursor(), StandardCharsets.UTF_8)));
    }

    @Override
    public void load() {
        byte[] stored = entities.get(key);
        state = stored == null ? null : State.STORED.read(stored);
    }

    public boolean isOn() {
        return state != null;
    }

    public void maintain(Maintain command) {
        State before = state;
        if (command.enabled()) {
            Instant since = before == null ? out.now() : before.since;
            put(new State(since, command.reason(), command.until()));
        } else if (before != null) {
            put(null);
            work.begin(END, "", null);
        }
        if ((before == null) == command.enabled())
            out.emit(
                    command.enabled() ? "floodgate.maintenance_began" : "floodgate.maintenance_ended",
                    out.log().toString(),
                    out.log().toString(),
                    write(JsonOut.object().field("log", out.log().toString())).endObject());
        out.reply(write(JsonOut.object()).endObject());
    }

    /** Writes the members into the object at hand. */
    public JsonOut write(JsonOut json) {
        State now = state;
        json.field("maintenance", now != null);
        if (now == null) return json;
        return json.field("maintenance_since", now.since)
                .optional("maintenance_reason", now.reason)
                .optional("maintenance_until", now.until);
    }

    private byte @Nullable [] serveAgain(String after) {
        if (isOn()) return null;
        List<Queue> some = queues.after(after, SLICE);
        some.forEach(queues::toServe);
        return some.size() < SLICE ? null : some.getLast().name.getBytes(StandardCharsets.UTF_8);
    }

    private void put(@Nullable State now) {
        State before = state;
        undo.by(() -> state = before);
        state = now;
        if (now == null) entities.delete(key);
        else entities.put(key, State.STORED.write(now));
    }

    @Override
    public boolean clear(int most) {
        if (state != null) put(null);
        return true;
    }
}
