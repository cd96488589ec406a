package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Housekeeping;
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

/**
 * Tells the registry which workers hold leases here, so that this log hears of it when one is lost: once when a worker
 * first appears, and again every hour that it goes on fetching.
 */
final class Announcements {
    static final Duration VALID = Duration.ofHours(1);

    private final KeyValues entities;
    private final Keys keys;
    private final Routing routing;
    private final Housekeeping housekeeping;
    private final Effects out;
    private final Map<String, Instant> announced = new TreeMap<>();

    Announcements(KeyValues entities, Keys keys, Routing routing, Housekeeping housekeeping, Effects out) {
        this.entities = entities;
        this.keys = keys;
        this.routing = routing;
        this.housekeeping = housekeeping;
        this.out = out;
    }

    void load() {
        announced.clear();
        byte[] prefix = keys.allAnnounced();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            announced.put(keys.nameAtEnd(key), new BinaryIn(value).time());
            return true;
        });
    }

    void announce(String worker) {
        Instant last = announced.get(worker);
        if (last != null && last.plus(VALID).isAfter(out.now())) return;
        announced.put(worker, out.now());
        entities.put(keys.announced(worker), new BinaryOut().time(out.now()).toBytes());
        housekeeping.wantBy(out.now().plus(VALID));
        out.tell(routing.ofWorker(worker), "worker:" + worker, new Leased(worker, out.log()));
    }

    void forget(String worker) {
        if (announced.remove(worker) != null) entities.delete(keys.announced(worker));
    }

    boolean forget(int most) {
        announced.keySet().stream().limit(most).toList().forEach(this::forget);
        return announced.isEmpty();
    }

    /** Drops what has run out; a worker that comes back is announced again. */
    void tidy() {
        List<String> old = announced.entrySet().stream()
                .filter(e -> !e.getValue().plus(VALID).isAfter(out.now()))
                .map(Map.Entry::getKey)
                .toList();
        old.forEach(this::forget);
        announced.values().stream()
                .min(Instant::compareTo)
                .ifPresent(oldest -> housekeeping.wantBy(oldest.plus(VALID)));
    }
}
