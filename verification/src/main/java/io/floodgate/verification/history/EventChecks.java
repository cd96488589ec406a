package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold for the events of each job and of each queue. */
final class EventChecks {
    static final Check ONE_QUEUE_AT_A_TIME = new Check(
            "a job that moves leaves the queue it was in, and comes to the next one once",
            EventChecks::oneQueueAtATime);

    static final Check EVENTS_EQUAL_STATES =
            new Check("every job is in the state that its last event says", EventChecks::eventsEqualStates);

    static final Check DELIVERIES_ARE_ANNOUNCED = new Check(
            "every hand-out and every completion that was answered has its event", EventChecks::deliveriesAreAnnounced);

    static final Check BOUNDS_HOLD =
            new Check("no queue ever takes in more than its bounds allow", EventChecks::boundsHold);

    private record Run(String job, long lease) {}

    static final Check IN_ORDER = new Check("the events of each job come once, in a legal order", EventChecks::inOrder);

    private EventChecks() {}

    private static void oneQueueAtATime(History history, List<Violation> found) {
        history.coursesByJob().forEach((job, course) -> {
            for (EventSeen stray : course.strays())
                found.add(new Violation(
                        job,
                        "it came to queue %s from %s, where it was not any more (event %s)"
                                .formatted(stray.queue(), stray.from(), stray.id())));
        });
    }

    private static void eventsEqualStates(History history, List<Violation> found) {
        var events = history.eventsByJob();
        if (events.isEmpty()) return;
        for (FinalState end : history.finals().values()) {
            List<EventSeen> own = events.getOrDefault(end.job(), List.of());
            if (own.isEmpty()) {
                if (!end.isGone())
                    found.add(new Violation(end.job(), "it is %s and has no events".formatted(end.state())));
            } else if (!own.getLast().state().equals(end.state())) {
                found.add(new Violation(
                        end.job(),
                        "it is %s, and its last event (%s) says %s"
                                .formatted(
                                        end.state(),
                                        own.getLast().type(),
                                        own.getLast().state())));
            }
        }
    }

    /** What was answered before a commit must be in the events after it. */
    private static void deliveriesAreAnnounced(History history, List<Violation> found) {
        if (history.events().isEmpty()) return;
        Set<Run> started = new HashSet<>();
        Set<String> completed = new HashSet<>();
        for (EventSeen event : history.events()) {
            Long lease = event.lease();
            if (event.type().equals("job.started") && lease != null) started.add(new Run(event.job(), lease));
            if (event.type().equals("job.completed")) completed.add(event.job());
        }
        history.deliveryRefs()
                .values()
                .forEach(deliveryRefs -> deliveryRefs.forEach(deliveryRef -> {
                    Run run = new Run(deliveryRef.job().id(), deliveryRef.job().lease());
                    if (!started.contains(run))
                        found.add(new Violation(
                                run.job, "lease %d was handed out without an event".formatted(run.lease)));
                }));
        for (Acked ack : history.all(Acked.class))
            if (ack.answer() == Answer.OK && !completed.contains(ack.id()))
                found.add(new Violation(ack.id(), "its ack was answered, and no event says that it is completed"));
    }

    private static void boundsHold(History history, List<Violation> found) {
        history.eventsByQueue().values().forEach(events -> {
            QueueCount queue = new QueueCount();
            for (QueueEvent event : events) {
                if (!queue.apply(event) || !(event instanceof QueueEvent.JobMoved come)) continue;
                boundHolds("jobs", queue.depth(), come, found);
                boundHolds("bytes", queue.bytes(), come, found);
            }
        });
    }

    private static void boundHolds(
            String unit, QueueCount.Figure figure, QueueEvent.JobMoved come, List<Violation> found) {
        if (figure.isExceeded())
            found.add(new Violation(
                    come.job(),
                    "with it queue %s has %,d %s, where %,d are allowed"
                            .formatted(come.queue(), figure.count(), unit, figure.bound())));
    }

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

    /** The events of a job come once each, in an order in which its states can follow each other (OJS core §6.3). */
    private static void inOrder(History history, List<Violation> found) {
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
