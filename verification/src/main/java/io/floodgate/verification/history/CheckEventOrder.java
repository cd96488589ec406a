package io.floodgate.verification.history;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events of a job come once each, in an order in which its states can follow each other (OJS core §6.3). */
final class CheckEventOrder {
    static final Check CHECK = new Check("the events of each job come once, in a legal order", CheckEventOrder::find);

    private static final String NOTHING = "nothing";

    /** From which states an event may lead to which. */
    private record Legal(Set<String> from, Set<String> to) {
        static Legal move(Set<String> from, String... to) {
            return new Legal(from, Set.of(to));
        }
    }

    private static final Set<String> WAITING = Set.of("available", "scheduled", "pending", "retryable");
    private static final Set<String> LIVE = union(WAITING, "active");

    private static final Map<String, Legal> LEGAL = Map.ofEntries(
            Map.entry("job.enqueued", Legal.move(Set.of(NOTHING, "scheduled", "pending"), "available")),
            Map.entry("job.scheduled", Legal.move(Set.of(NOTHING, "pending"), "scheduled")),
            Map.entry("job.pending", Legal.move(Set.of(NOTHING), "pending")),
            Map.entry("job.started", Legal.move(Set.of("available"), "active")),
            Map.entry("job.heartbeat", Legal.move(Set.of("active"), "active")),
            Map.entry("job.progress", Legal.move(Set.of("active"), "active")),
            Map.entry("job.completed", Legal.move(Set.of("active"), "completed")),
            Map.entry("job.failed", Legal.move(Set.of("active"), "retryable", "available", "discarded")),
            Map.entry("job.retrying", Legal.move(Set.of("retryable"), "retryable")),
            Map.entry("floodgate.job_postponed", Legal.move(Set.of("active"), "retryable")),
            Map.entry("job.available", Legal.move(Set.of("retryable", "active", "available"), "available")),
            Map.entry("job.expired", Legal.move(WAITING, "discarded")),
            Map.entry("job.discarded", Legal.move(union(LIVE, "discarded"), "discarded")),
            Map.entry("job.moved", Legal.move(WAITING, "available", "scheduled", "pending", "retryable")),
            Map.entry("job.cancelled", Legal.move(LIVE, "cancelled")),
            Map.entry("dead_letter.added", Legal.move(Set.of("discarded"), "discarded")),
            Map.entry("dead_letter.retried", Legal.move(Set.of("discarded"), "available")));

    /** Events that leave the state as it is say more about the one just before. */
    private static final Map<String, Set<String>> FOLLOWS = Map.of(
            "job.retrying", Set.of("job.failed"),
            "job.available", Set.of("job.failed"),
            "job.discarded", Set.of("job.failed", "job.expired"),
            "dead_letter.added", Set.of("job.discarded"));

    private static Set<String> union(Set<String> states, String more) {
        Set<String> all = new HashSet<>(states);
        all.add(more);
        return Set.copyOf(all);
    }

    private CheckEventOrder() {}

    private static void find(History history, List<Violation> found) {
        Set<String> ids = new HashSet<>();
        for (EventSeen event : history.events())
            if (!ids.add(event.id()))
                found.add(new Violation(event.job(), "event %s came twice".formatted(event.id())));
        history.eventsByJob().forEach((job, events) -> {
            String wrong = firstIllegal(events);
            if (wrong != null) found.add(new Violation(job, wrong));
        });
    }

    private static @Nullable String firstIllegal(List<EventSeen> events) {
        String state = NOTHING;
        String type = NOTHING;
        long lease = 0;
        for (EventSeen event : events) {
            Legal legal = LEGAL.get(event.type());
            if (legal == null) continue;
            if (!legal.from.contains(state) || !legal.to.contains(event.state()))
                return "%s led from %s to %s".formatted(event.type(), state, event.state());
            if (event.isArrival() && !state.equals(event.state()))
                return "it left a queue %s, and came to %s %s".formatted(state, event.queue(), event.state());
            Set<String> follows = FOLLOWS.get(event.type());
            if (follows != null && state.equals(event.state()) && !follows.contains(type))
                return "%s came after %s".formatted(event.type(), type);
            if (event.type().equals("job.started") && !Objects.equals(event.lease(), ++lease))
                return "it was started under lease %s where lease %d is next".formatted(event.lease(), lease);
            state = event.state();
            type = event.type();
        }
        return null;
    }
}
