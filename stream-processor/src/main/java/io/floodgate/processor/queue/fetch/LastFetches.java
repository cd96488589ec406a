package io.floodgate.processor.queue.fetch;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** When queues were last fetched from, to the minute: a job may not run because nobody asks for it. */
public final class LastFetches implements Entity {
    public static final Duration EXACT_TO = Duration.ofMinutes(1);

    private final KeyValues entities;
    private final Queues queues;
    private final Undo undo;
    private final Effects out;

    public LastFetches(KeyValues entities, Queues queues, Undo undo, Effects out) {
        this.entities = entities;
        this.queues = queues;
        this.undo = undo;
        this.out = out;
    }

    @Override
    public void load() {
        byte[] prefix = Keys.allFetched();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Queue queue = queues.find(Keys.nameAtEnd(key));
            if (queue != null) queue.fetchedAt = new BinaryIn(value).time();
            return true;
        });
    }

    void note(List<String> names) {
        for (String name : names) {
            Queue queue = queues.find(name);
            if (queue != null) note(queue);
        }
    }

    private void note(Queue queue) {
        Instant before = queue.fetchedAt;
        if (before != null && before.plus(EXACT_TO).isAfter(out.now())) return;
        queue.fetchedAt = out.now();
        undo.by(() -> queue.fetchedAt = before);
        entities.put(Keys.fetched(queue.name), new BinaryOut().time(out.now()).toBytes());
    }
}
