package io.floodgate.gateway.worker;

import io.floodgate.topics.client.Cancellation;
import io.floodgate.topics.event.OjsEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Workers that an operator has directed to take no more jobs, as far as this gateway knows: by its own answers and by
 * the events of all others. Their fetches that wait are ended, and later ones get nothing.
 */
public final class Directives {
    private static final int MAX_WORKERS = 20_000;

    private final Map<String, Set<Cancellation>> waiting = new HashMap<>();
    private final Map<String, Boolean> stopped = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_WORKERS;
        }
    };

    /** @param state as the worker gets it: {@code running}, {@code quiet}, or {@code terminate} */
    public void changed(String worker, String state) {
        if (state.equals("quiet") || state.equals("terminate")) stop(worker);
        else resume(worker);
    }

    /** An event has been read that is news: another gateway may have taken the directive. */
    public void happened(OjsEvent event) {
        String worker = event.subject();
        if (worker == null) return;
        switch (event.type()) {
            case "worker.quiet" -> stop(worker);
            // One that comes back is another worker, without a directive yet.
            case "worker.resumed", "worker.started", "worker.stopped" -> resume(worker);
            default -> {}
        }
    }

    private void stop(String worker) {
        List<Cancellation> ended;
        synchronized (this) {
            stopped.put(worker, true);
            ended = List.copyOf(waiting.getOrDefault(worker, Set.of()));
        }
        ended.forEach(Cancellation::cancel);
    }

    private synchronized void resume(String worker) {
        stopped.remove(worker);
    }

    synchronized boolean mayFetch(String worker) {
        return !stopped.containsKey(worker);
    }

    /**
     * Begins a fetch. Until {@link #ended} it is cancelled when a directive says that the worker takes no more jobs.
     */
    synchronized void begun(String worker, Cancellation fetch) {
        waiting.computeIfAbsent(worker, w -> new HashSet<>()).add(fetch);
    }

    synchronized void ended(String worker, Cancellation fetch) {
        Set<Cancellation> fetches = waiting.get(worker);
        if (fetches != null && fetches.remove(fetch) && fetches.isEmpty()) waiting.remove(worker);
    }
}
