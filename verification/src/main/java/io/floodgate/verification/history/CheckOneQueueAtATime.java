package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;

final class CheckOneQueueAtATime implements Check {
    @Override
    public String claim() {
        return "a job that moves leaves the queue it was in, and comes to the next one once";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        history.coursesByJob().forEach((job, course) -> {
            for (EventSeen stray : course.strays())
                found.add(new Violation(
                        job,
                        "it came to queue %s from %s, where it was not any more (event %s)"
                                .formatted(stray.queue(), stray.from(), stray.id())));
        });
        return found;
    }
}
