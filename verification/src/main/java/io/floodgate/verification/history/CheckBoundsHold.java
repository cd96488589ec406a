package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;

final class CheckBoundsHold implements Check {
    @Override
    public String claim() {
        return "no queue ever takes in more than its bounds allow";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        history.eventsByQueue().values().forEach(events -> {
            QueueCount queue = new QueueCount();
            for (QueueEvent event : events) {
                if (!queue.apply(event) || !(event instanceof QueueEvent.JobMoved come)) continue;
                check("jobs", queue.depth(), come, found);
                check("bytes", queue.bytes(), come, found);
            }
        });
        return found;
    }

    private static void check(String unit, QueueCount.Figure figure, QueueEvent.JobMoved come, List<Violation> found) {
        if (figure.isExceeded())
            found.add(new Violation(
                    come.job(),
                    "with it queue %s has %,d %s, where %,d are allowed"
                            .formatted(come.queue(), figure.count(), unit, figure.bound())));
    }
}
