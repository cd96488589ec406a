package io.floodgate.processor.queue.job;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Housekeeping;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.WorkerName;
import io.floodgate.processor.queue.state.Memory;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.Message.Leased;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells the registry which workers hold leases here, so that this partition gets a message when one is lost: once when
 * a worker first appears, and again every hour that it goes on fetching.
 */
public final class LeaseRegistrations implements Entity {
    static final Duration VALID = Duration.ofHours(1);

    private final KeyValues entities;
    private final Routing routing;
    private final Housekeeping housekeeping;
    private final Undo undo;
    private final Effects out;
    private final Map<String, Instant> registered = new TreeMap<>();
    private long names;

    public LeaseRegistrations(Housekeeping housekeeping, PartitionContext context) {
        this.entities = context.entities();
        this.routing = context.routing();
        this.housekeeping = housekeeping;
        housekeeping.register(this::forgetOld);
        this.undo = context.undo();
        this.out = context.out();
    }

    @Override
    public void load() {
        registered.clear();
        names = 0;
        byte[] prefix = Keys.allAnnounced();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            put(Keys.nameAtEnd(key), new BinaryIn(value).time());
            return true;
        });
    }

    public void register(String worker) {
        Instant last = registered.get(worker);
        if (last != null && last.plus(VALID).isAfter(out.now())) return;
        note(worker, out.now());
        // mutant: stored-registration
        entities.put(Keys.announced(worker), new BinaryOut().time(out.now()).toBytes());
        housekeeping.wantBy(out.now().plus(VALID));
        String id = WorkerName.id(worker);
        out.tell(routing.ofWorker(id), "worker:" + id, new Leased(worker, out.log()));
    }

    public void forget(String worker) {
        if (!registered.containsKey(worker)) return;
        note(worker, null);
        entities.delete(Keys.announced(worker));
    }

    private void note(String worker, @Nullable Instant at) {
        Instant before = registered.get(worker);
        put(worker, at);
        undo.by(() -> put(worker, before));
    }

    private void put(String worker, @Nullable Instant at) {
        Instant before = at == null ? registered.remove(worker) : registered.put(worker, at);
        if (before == null && at != null) names += worker.length();
        if (before != null && at == null) names -= worker.length();
    }

    /** Forgets up to {@code most}; true once none is left. */
    public boolean forget(int most) {
        registered.keySet().stream().limit(most).toList().forEach(this::forget);
        return registered.isEmpty();
    }

    /** Drops what has run out; a worker that comes back is registered again. */
    private void forgetOld() {
        List<String> old = registered.entrySet().stream()
                .filter(e -> !e.getValue().plus(VALID).isAfter(out.now()))
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(this::forget);
        registered.values().stream()
                .min(Instant::compareTo)
                .ifPresent(oldest -> housekeeping.wantBy(oldest.plus(VALID)));
    }

    public long bytes() {
        return registered.size() * Memory.REGISTRATION + names;
    }
}
