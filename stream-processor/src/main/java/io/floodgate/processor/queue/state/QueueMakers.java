package io.floodgate.processor.queue.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.Identity;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of queues that each key has brought into being, by a first job or otherwise: none may take what others
 * need.
 */
final class QueueMakers {
    private final KeyValues entities;
    private final Undo undo;
    private final Effects out;
    private final Map<String, Integer> queues = new TreeMap<>();

    QueueMakers(KeyValues entities, Undo undo, Effects out) {
        this.entities = entities;
        this.undo = undo;
        this.out = out;
    }

    void load() {
        queues.clear();
        byte[] prefix = Keys.allQueueMakers();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            count(new String(value, UTF_8), 1);
            return true;
        });
    }

    private void count(String key, int more) {
        queues.merge(key, more, (before, change) -> before + change == 0 ? null : before + change);
    }

    private void note(String key, int more) {
        count(key, more);
        undo.by(() -> count(key, -more));
    }

    /** Counts a queue for the sender of the command at hand. */
    void made(String queue) {
        Identity by = out.by();
        if (by == null) return;
        entities.put(Keys.queueMaker(queue), by.name().getBytes(UTF_8));
        note(by.name(), 1);
    }

    void forgotten(String queue) {
        byte[] maker = entities.get(Keys.queueMaker(queue));
        if (maker == null) return;
        entities.delete(Keys.queueMaker(queue));
        note(new String(maker, UTF_8), -1);
    }

    /**
     * Returns whether the sender of the command at hand may bring this many queues into being.
     *
     * @param left how many of all may still come into being, after these
     */
    boolean leavesRoom(long more, long left) {
        Identity by = out.by();
        return by == null || queues.getOrDefault(by.name(), 0) + more <= left;
    }
}
