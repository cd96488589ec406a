package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.json.JsonOut;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queues of a log, all of them in memory: a name, some counts, and the order of what is ready. */
final class Queues {
    private final KeyValues entities;
    private final Keys keys;
    private final Effects out;
    private final Map<String, Queue> byName = new TreeMap<>();
    private final Set<Queue> changed = new LinkedHashSet<>();
    private final List<String> forgotten = new ArrayList<>();
    /** Queues in which something became ready, or somebody came to wait, in this step. */
    private final Set<Queue> stirred = new LinkedHashSet<>();

    Queues(KeyValues entities, Keys keys, Effects out) {
        this.entities = entities;
        this.keys = keys;
        this.out = out;
    }

    void load() {
        byName.clear();
        byte[] prefix = keys.allQueues();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Queue queue = Queue.read(keys.nameAtEnd(key), value);
            byName.put(queue.name, queue);
            return true;
        });
        changed.clear();
        forgotten.clear();
        stirred.clear();
    }

    @Nullable
    Queue find(String name) {
        return byName.get(name);
    }

    /** The queue of a live job: it is there as long as the job. */
    Queue of(Job job) {
        Queue queue = byName.get(job.queue);
        if (queue == null) throw new IllegalStateException("job %s is in no queue '%s'".formatted(job.id, job.queue));
        return queue;
    }

    /** The queue, brought into being by its first use. */
    Queue use(String name) {
        Queue queue = withWaiting(name);
        if (!queue.exists()) {
            queue.createdAt = out.now();
            changed(queue);
            JsonOut data = new JsonOut().beginObject().field("queue", name).field("implicit", true);
            out.emit("queue.created", name, name, data.endObject());
        }
        return queue;
    }

    /** The queue, or a nameplate for those who wait for its first job. */
    Queue withWaiting(String name) {
        return byName.computeIfAbsent(name, Queue::new);
    }

    void removeIfUnused(Queue queue) {
        if (!queue.exists() && queue.fetches.isEmpty() && queue.watches.isEmpty()) byName.remove(queue.name);
    }

    /** What is shown of the queue later in this step has the version that will be published. */
    void changed(Queue queue) {
        if (!changed.add(queue)) return;
        queue.version++;
        queue.updatedAt = out.now();
    }

    void stirred(Queue queue) {
        stirred.add(queue);
    }

    List<Queue> takeStirred() {
        List<Queue> taken = new ArrayList<>(stirred);
        stirred.clear();
        return taken;
    }

    /** How many dead letters there are, of one queue or of all. */
    long deadLetters(@Nullable String name) {
        if (name == null)
            return byName.values().stream()
                    .mapToLong(q -> q.counts.deadLetters())
                    .sum();
        Queue queue = byName.get(name);
        return queue == null ? 0 : queue.counts.deadLetters();
    }

    /** The queue never was; its name is told, so that its status can go. */
    void forget(Queue queue) {
        byName.remove(queue.name);
        changed.remove(queue);
        forgotten.add(queue.name);
        entities.delete(keys.queue(queue.name));
    }

    Collection<Queue> all() {
        return byName.values();
    }

    /** Writes what the step changed, and names it. */
    List<String> save() {
        List<String> names = new ArrayList<>(changed.size());
        for (Queue queue : changed) {
            entities.put(keys.queue(queue.name), queue.write());
            names.add(queue.name);
        }
        changed.clear();
        names.addAll(forgotten);
        forgotten.clear();
        return names;
    }
}
