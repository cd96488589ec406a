package io.floodgate.gateway.event;

import io.floodgate.topics.event.OjsEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Callers that wait for a change of a job. */
public final class JobWatches {
    /** Ends when something has happened, or will never. The caller closes it when it stops waiting. */
    public final class Watch implements AutoCloseable {
        private final String job;
        private final CompletableFuture<Void> happened = new CompletableFuture<>();

        private Watch(String job) {
            this.job = job;
        }

        public CompletableFuture<Void> happened() {
            return happened;
        }

        @Override
        public void close() {
            watches.computeIfPresent(job, (id, others) -> {
                others.remove(this);
                return others.isEmpty() ? null : others;
            });
        }
    }

    private final Map<String, Set<Watch>> watches = new ConcurrentHashMap<>();

    Watch watch(String job) {
        Watch watch = new Watch(job);
        watches.compute(job, (id, others) -> {
            Set<Watch> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(watch);
            return all;
        });
        return watch;
    }

    void happened(List<OjsEvent> events) {
        if (watches.isEmpty()) return;
        for (OjsEvent event : events) {
            Set<Watch> watching = event.subject() == null ? null : watches.get(event.subject());
            if (watching != null) watching.forEach(watch -> watch.happened.complete(null));
        }
    }

    int size() {
        return watches.size();
    }

    void close() {
        watches.values().forEach(all -> all.forEach(watch -> watch.happened.complete(null)));
    }
}
