package io.floodgate.verification.client;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Counts of jobs, as partitions have them now. */
public final class QueueCounts {
    public static final List<String> RUNNING = List.of("active");
    /** They run, or will change by themselves. */
    public static final List<String> UNDER_WAY = List.of("active", "scheduled", "retryable");

    public static final List<String> UNFINISHED = List.of("active", "scheduled", "retryable", "available", "pending");

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int UNKNOWN_QUEUE = 404;

    private QueueCounts() {}

    /** Returns whether no job of these queues is in any of these states; false if one of the queues cannot be asked. */
    public static boolean areZero(List<String> states, Collection<String> queues, List<String> urls) {
        try (Caller caller = new Caller(urls, 0, PATIENCE)) {
            for (String queue : queues) {
                Caller.Heard heard = caller.get("/ojs/v1/queues/%s/stats".formatted(queue));
                if (heard.status() == UNKNOWN_QUEUE) continue;
                if (!heard.isOk()) return false;
                for (String state : states) if (heard.body().path(state).asInt(1) > 0) return false;
            }
            return true;
        }
    }
}
