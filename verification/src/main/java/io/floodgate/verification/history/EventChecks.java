package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
}
