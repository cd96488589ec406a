package io.floodgate.processor.topology;

import io.floodgate.topics.LogId;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** The logs that this process owns at the moment. */
final class OpenLogs {
    private final Set<LogId> open = new ConcurrentSkipListSet<>();
    private final Set<LogId> known = new ConcurrentSkipListSet<>();

    void opened(LogId log) {
        open.add(log);
    }

    /** Whether this process has not been asked this about the log before: it may come and go. */
    boolean isFirst(LogId log) {
        return known.add(log);
    }

    void closed(LogId log) {
        open.remove(log);
    }

    Set<LogId> all() {
        return Set.copyOf(open);
    }
}
