package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;

final class CheckEventsEqualStates implements Check {
    @Override
    public String claim() {
        return "every job is in the state that its last event says";
    }

    @Override
    public List<Violation> violations(History history) {
        var events = history.eventsByJob();
        if (events.isEmpty()) return List.of();
        List<Violation> found = new ArrayList<>();
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
        return found;
    }
}
