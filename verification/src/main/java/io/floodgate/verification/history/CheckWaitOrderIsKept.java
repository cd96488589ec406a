package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at jobs about which one log decides at once: one of a batch over several may wait elsewhere, and takes its old place
 * in this line when others have long passed it.
 */
final class CheckWaitOrderIsKept {
    static final Check CHECK =
            new Check("a producer that waits for room gets in before all that came later", CheckWaitOrderIsKept::find);

    private CheckWaitOrderIsKept() {}

    private static void find(History history, List<Violation> found) {
        Set<String> inOneStep = new HashSet<>();
        for (Offered offered : history.all(Offered.class))
            if (offered.inOneStep()) for (OfferedJob job : offered.jobs()) inOneStep.add(job.id());
        history.eventsByQueue().values().forEach(events -> {
            Line line = new Line();
            for (QueueEvent event : events) line.apply(event, inOneStep, found);
        });
    }

    /** @param since when it was there first, to wait or to come in at once */
    private record Arrival(String job, Instant since) {}

    private static final class Line {
        private final QueueCount queue = new QueueCount();
        private Instant blocksSince = Instant.EPOCH;
        private @Nullable Arrival latest;

        void apply(QueueEvent event, Set<String> wanted, List<Violation> found) {
            String before = queue.strategy();
            boolean come = queue.apply(event);
            if (event instanceof Configured && !before.equals(queue.strategy())) {
                blocksSince = event.time();
                latest = null;
            }
            if (come && event instanceof JobMoved moved && wanted.contains(moved.job())) arrive(moved, found);
        }

        private void arrive(JobMoved moved, List<Violation> found) {
            if (!queue.strategy().equals(QueueCount.BLOCK)) return;
            Instant since = moved.waited() == null ? moved.time() : moved.time().minus(moved.waited());
            if (latest != null && since.isBefore(latest.since) && since.isAfter(blocksSince))
                found.add(new Violation(
                        moved.job(),
                        "its producer waited since %s, and %s of %s came in before it"
                                .formatted(since, latest.job, latest.since)));
            if (latest == null || since.isAfter(latest.since)) latest = new Arrival(moved.job(), since);
        }
    }
}
