package io.floodgate.processor.topology;

import io.floodgate.topics.LogId;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The logs that this process owns at the moment. */
final class OpenLogs {
    private final Set<LogId> open = new ConcurrentSkipListSet<>();

    void opened(LogId log) {
        open.add(log);
    }

    void closed(LogId log) {
        open.remove(log);
    }

    Set<LogId> all() {
        return Set.copyOf(open);
    }
}
