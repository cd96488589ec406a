package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Expiries;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.topics.JobId;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Workflows that have ended are kept for a while, and then forgotten, some steps at a time. */
final class Endings {
    private static final int SLICE = 100;

    private final Expiries expiries;
    private final PartitionContext context;

    Endings(WorkflowStore store, PartitionContext context) {
        this.context = context;
        expiries =
                new Expiries("workflow-end", id -> store.forget(JobId.parse(id).orElseThrow(), SLICE), context);
    }

    private Instant forgottenAt(Head head) {
        Instant ended = head.endedAt == null ? context.now() : head.endedAt;
        Duration own = head.fixed.retention();
        if (own != null) return ended.plus(own);
        PartitionSettings settings = context.settings();
        Duration longest = Stream.of(settings.completed(), settings.discarded(), settings.cancelled())
                .max(Duration::compareTo)
                .orElseThrow();
        return ended.plus(longest);
    }

    /** Remembers when a workflow that has ended is to be forgotten. */
    void add(Head head) {
        Instant at = forgottenAt(head);
        head.forgottenAt = at;
        expiries.add(at, head.id().toString());
    }

    /** Removes a workflow that goes on after all. */
    void remove(Head head) {
        if (head.forgottenAt != null)
            expiries.remove(head.forgottenAt, head.id().toString());
        head.forgottenAt = null;
    }

    boolean clear(int most) {
        return expiries.clear(most);
    }
}
