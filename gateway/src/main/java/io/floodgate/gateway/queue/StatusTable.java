package io.floodgate.gateway.queue;

import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The latest status of every queue, as far as this gateway has heard. */
public final class StatusTable {
    private final ConcurrentNavigableMap<String, PublishedStatus> byName = new ConcurrentSkipListMap<>();

    /** Takes a status in, unless a newer one is there already: replies overtake the topic. */
    public void offer(PublishedStatus status) {
        if (!status.known()) return;
        byName.merge(status.name(), status, (old, fresh) -> fresh.version() >= old.version() ? fresh : old);
    }

    public void remove(String name) {
        byName.remove(name);
    }

    public void clear() {
        byName.clear();
    }

    public int size() {
        return byName.size();
    }

    /** In the order of their names. */
    public List<PublishedStatus> page(int offset, int limit) {
        return byName.values().stream().skip(offset).limit(limit).toList();
    }
}
