package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.queue.state.QueueChange.Abandoned;
import io.floodgate.processor.queue.state.QueueChange.Closed;
import io.floodgate.processor.queue.state.QueueChange.Configured;
import io.floodgate.processor.queue.state.QueueChange.Created;
import io.floodgate.processor.queue.state.QueueChange.Deleted;
import io.floodgate.processor.queue.state.QueueChange.Paused;
import io.floodgate.processor.queue.state.QueueChange.Reopened;
import io.floodgate.processor.queue.state.QueueChange.Resumed;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Deletion;
import io.floodgate.topics.queue.QueueConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The queues of a log, all of them in memory: a name, some counts, and the order of what is ready. */
public final class Queues implements Entity {
    /** A queue costs some hundred bytes for as long as it is remembered. */
    public static final int MOST = 50_000;

    private final KeyValues entities;
    private final Undo undo;
    private final Effects out;
    private final TreeMap<String, Queue> byName = new TreeMap<>();
    private final Set<Queue> changed = new LinkedHashSet<>();
    /** Queues that this step has given up. */
    private final Set<String> gone = new LinkedHashSet<>();

    private final List<String> published = new ArrayList<>();
    /** Queues in which something became ready in this step. */
    private final Set<Queue> toServe = new LinkedHashSet<>();

    private final Supplier<QueueConfig> defaults;
    private final QueueMakers makers;
    private final RejectionEvents rejections;
    private final QueueMemory memory = new QueueMemory();

    /** @param defaults what holds where nothing is decided about a queue itself */
    public Queues(Supplier<QueueConfig> defaults, TenantUse.OverAll overAll, PartitionContext context) {
        this.defaults = defaults;
        this.entities = context.entities();
        this.undo = context.undo();
        this.out = context.out();
        makers = new QueueMakers(context.entities(), context.undo(), context.out());
        rejections = new RejectionEvents(context.timers(), overAll, context.out());
    }

    @Override
    public void load() {
        byName.clear();
        makers.load();
        memory.clear();
        byte[] prefix = Keys.allQueues();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            Queue queue = Queue.read(Keys.nameAtEnd(key), defaults, value);
            put(queue);
            return true;
        });
        byte[] ofConfigs = Keys.allQueueConfigs();
        entities.scan(ofConfigs, Keys.after(ofConfigs), (key, value) -> {
            Queue queue = byName.get(Keys.nameAtEnd(key));
            if (queue != null) queue.decide(StoredConfig.read(value));
            memory.addConfig(value);
            return true;
        });
        forgetStep();
    }

    private void put(Queue queue) {
        byName.put(queue.name, queue);
        memory.add(queue);
    }

    /** Counts the memory of a queue again, since its fetches have changed. */
    public void countMemory(Queue queue) {
        memory.recount(queue);
    }

    private void remove(Queue queue) {
        byName.remove(queue.name);
        memory.remove(queue);
    }

    @Nullable
    public Queue find(String name) {
        Queue queue = byName.get(name);
        return queue == null || queue.isGone() ? null : queue;
    }

    /** Returns whether it is there, be it for its finished jobs alone. */
    public boolean has(String name) {
        return byName.containsKey(name);
    }

    /** The queue of a job: it is there as long as the job, though it may be gone for everybody else. */
    public Queue of(JobRecord job) {
        Queue queue = byName.get(job.queue);
        if (queue == null) throw new IllegalStateException("job %s is in no queue '%s'".formatted(job.id, job.queue));
        return queue;
    }

    /** The queue as it is, or as it would come into being. */
    public Queue imagine(String name) {
        Queue queue = find(name);
        return queue == null ? new Queue(name, defaults) : queue;
    }

    /** The queue, brought into being by its first use. */
    public Queue use(String name) {
        Queue queue = find(name);
        return queue == null ? make(name, false, QueueConfig.NONE) : queue;
    }

    /** A queue that is not there. */
    public Queue make(String name, boolean explicit, QueueConfig config) {
        // What has finished in one of this name that is gone counts in this one.
        Queue before = byName.get(name);
        Queue made = before == null ? imagine(name) : before;
        apply(new Created(explicit, config), made);
        return made;
    }

    /** The only way to change a queue: its fields, what follows, and its event. */
    public void apply(QueueChange change, Queue queue) {
        switch (change) {
            case Created c -> create(c, queue);
            case Configured c -> {
                decide(c.config(), queue);
                JsonOut data = JsonOut.object().field("queue", queue.name).beginObject("config");
                QueueConfigCodec.write(c.config(), data);
                // mutant: promised-depth
                data.endObject()
                        .field("depth", queue.counts.depthWithPromised())
                        .field("size_bytes", queue.counts.bytesWithPromised());
                emit("queue.config_updated", queue, data);
            }
            case Paused c -> {
                queue.pause(out.now(), out.by(), c.reason());
                JsonOut data = JsonOut.object().field("queue", queue.name);
                emit("queue.paused", queue, data.optional("reason", c.reason()));
            }
            case Resumed c -> {
                queue.unpause();
                toServe(queue);
                emit("queue.resumed", queue, JsonOut.object().field("queue", queue.name));
            }
            case Closed c -> {
                queue.live(queue.life().endingBy(c.ending()));
                if (c.ending().isAsking()) break;
                JsonOut data = JsonOut.object().field("queue", queue.name);
                c.ending().show(data);
                emit("queue.draining", queue, data);
            }
            case Reopened c -> reopen(queue);
            case Deleted c -> {
                tellRest(queue);
                delete(queue);
            }
            case Abandoned c -> {
                tellRest(queue);
                decide(QueueConfig.NONE, queue);
                forget(queue);
                // Its status goes, which informs all that may have looked at it.
                gone.add(queue.name);
                return;
            }
        }
        changed(queue);
    }

    /** Reports rejected jobs, which cannot be done later. */
    private void tellRest(Queue queue) {
        if (queue.told().unreported().isEmpty()) return;
        changed(queue);
        rejections.tell(queue);
    }

    private void decide(QueueConfig config, Queue queue) {
        QueueConfig before = queue.decided();
        long configsBefore = memory.configs();
        undo.by(() -> {
            queue.decide(before);
            memory.restoreConfigs(configsBefore);
        });
        byte[] key = Keys.queueConfig(queue.name);
        byte[] old = before.isNone() ? null : entities.get(key);
        if (old != null) memory.removeConfig(old);
        queue.decide(config);
        if (config.isNone()) {
            entities.delete(key);
        } else {
            byte[] stored = StoredConfig.write(config);
            entities.put(key, stored);
            memory.addConfig(stored);
        }
    }

    private void create(Created change, Queue queue) {
        if (byName.get(queue.name) == null) {
            put(queue);
            undo.by(() -> remove(queue));
            makers.made(queue.name);
        }
        queue.beginAgain();
        queue.createdAt(out.now());
        queue.live(change.explicit() ? Life.EXPLICIT : Life.IMPLICIT);
        if (!change.config().isNone()) decide(change.config(), queue);
        // Later than any version of a queue that had this name before.
        queue.version = Math.max(queue.version, out.now().toEpochMilli() * 1000);
        JsonOut data = JsonOut.object().field("queue", queue.name).field("implicit", !change.explicit());
        if (change.explicit()) {
            data.beginObject("config");
            QueueConfigCodec.write(change.config(), data);
            data.endObject();
        }
        emit("queue.created", queue, data);
    }

    private static void reopen(Queue queue) {
        Ending ending = queue.ending();
        Ending.Move move = ending == null ? null : ending.move();
        boolean drains = move != null && move.hasDrained();
        queue.live(queue.life()
                .endingBy(
                        ending != null && drains
                                ? new Ending(Deletion.DRAIN, ending.since(), ending.affected(), null)
                                : null));
    }

    private void delete(Queue queue) {
        JsonOut data = JsonOut.object().field("queue", queue.name);
        Ending ending = queue.ending();
        if (ending != null) ending.show(data);
        emit("queue.deleted", queue, data);
        queue.live(queue.life().ended());
        forgetFetches(queue);
        decide(QueueConfig.NONE, queue);
        queue.tell(PublishedCounts.NOTHING);
        gone.add(queue.name);
    }

    private void forget(Queue queue) {
        remove(queue);
        undo.by(() -> put(queue));
        entities.delete(Keys.queue(queue.name));
        makers.forgotten(queue.name);
        forgetFetches(queue);
    }

    /** A queue that has the name later was not fetched from. */
    private void forgetFetches(Queue queue) {
        RecentFetches before = queue.fetches;
        if (before == null) return;
        undo.by(() -> {
            queue.fetches = before;
            countMemory(queue);
        });
        queue.fetches = null;
        if (byName.get(queue.name) == queue) countMemory(queue);
        entities.delete(Keys.fetched(queue.name));
    }

    private void emit(String type, Queue queue, JsonOut data) {
        out.emit(type, queue.name, queue.name, data.endObject());
    }

    /** Marks the queue as changed. What is shown of it later in this step has the version that will be published. */
    public void changed(Queue queue) {
        if (!changed.add(queue)) return;
        queue.version++;
        queue.updatedAt(out.now());
    }

    public void toServe(Queue queue) {
        toServe.add(queue);
    }

    public boolean hasToServe() {
        return !toServe.isEmpty();
    }

    public List<Queue> takeToServe() {
        List<Queue> taken = new ArrayList<>(toServe);
        toServe.clear();
        // By name, so that it is the same whether they became ready in this step or are served late.
        taken.sort(Comparator.comparing((Queue queue) -> queue.name));
        return taken;
    }

    /** Returns the number of dead letters, of one queue or of all. */
    public long deadLetters(@Nullable String name) {
        if (name == null)
            return byName.values().stream()
                    .mapToLong(q -> q.counts.deadLetters())
                    .sum();
        Queue queue = byName.get(name);
        return queue == null ? 0 : queue.counts.deadLetters();
    }

    public Collection<Queue> all() {
        return byName.values();
    }

    public int size() {
        return byName.size();
    }

    /** Returns whether this many more leave enough for the queues of others than their maker. */
    public boolean leavesRoom(long more) {
        return makers.leavesRoom(more, MOST - byName.size() - more);
    }

    /** Returns the memory of the queues, beside their jobs. */
    public long memoryBytes() {
        return memory.bytes(byName.size());
    }

    /** Returns the queues behind this name in the order of names. */
    public Collection<Queue> after(String name) {
        return byName.tailMap(name, false).values();
    }

    /** Returns up to {@code most} queues behind this name in the order of names. */
    public List<Queue> after(String name, int most) {
        return byName.tailMap(name, false).values().stream().limit(most).toList();
    }

    /** The queues that this step has changed so far. */
    public Collection<Queue> changed() {
        return changed;
    }

    /** Writes what the step changed, and names it. */
    @Override
    public void save() {
        published.addAll(gone);
        for (Queue queue : changed) {
            if (byName.get(queue.name) != queue) continue;
            if (queue.isGone() && queue.counts.all() == 0) {
                forget(queue);
                continue;
            }
            entities.put(Keys.queue(queue.name), queue.write());
            memory.recount(queue);
            if (!queue.isGone()) published.add(queue.name);
        }
        forgetStep();
    }

    /** The step never was: what it has changed is again as it is stored. */
    @Override
    public void rollBack() {
        published.clear();

        for (Queue queue : changed) {
            byte[] stored = entities.get(Keys.queue(queue.name));
            if (stored == null) continue;
            queue.restore(stored);
            if (byName.get(queue.name) == queue) memory.recount(queue);
        }
        forgetStep();
    }

    /** The queues that were changed since this was last asked. */
    public List<String> takePublished() {
        List<String> taken = List.copyOf(published);
        published.clear();
        return taken;
    }

    private void forgetStep() {
        changed.clear();
        gone.clear();
        toServe.clear();
    }
}
