package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Acked;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What was answered before a commit must be in the events after it. */
final class CheckDeliveriesAreAnnounced implements Check {
    private record Run(String job, long lease) {}

    @Override
    public String claim() {
        return "every hand-out and every completion that was answered has its event";
    }

    @Override
    public List<Violation> violations(History history) {
        if (history.events().isEmpty()) return List.of();
        Set<Run> started = new HashSet<>();
        Set<String> completed = new HashSet<>();
        for (EventSeen event : history.events()) {
            Long lease = event.lease();
            if (event.type().equals("job.started") && lease != null) started.add(new Run(event.job(), lease));
            if (event.type().equals("job.completed")) completed.add(event.job());
        }
        List<Violation> found = new ArrayList<>();
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
        return found;
    }
}
