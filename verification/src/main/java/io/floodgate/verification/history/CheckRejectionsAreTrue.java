package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueCourse.Course;
import io.floodgate.verification.history.Step.Full;
import io.floodgate.verification.history.Step.Offered;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rejection is false when there was room all the time, from the request to its answer, even if everything that others had
 * under way had come in first. A gateway may know a queue as it was a little while before.
 */
final class CheckRejectionsAreTrue {
    static final Check CHECK = new Check(
            "no job is rejected while there is room, nor before the time to wait for it is up",
            CheckRejectionsAreTrue::find);

    /** So old may be what a gateway goes by. */
    private static final Duration KNOWN_WITHIN = Duration.ofSeconds(2);

    /** Timers are no more exact than a busy machine. */
    private static final Duration EARLY_AT_MOST = Duration.ofMillis(100);

    private CheckRejectionsAreTrue() {}

    private static void find(History history, List<Violation> found) {
        List<Offered> offers = history.all(Offered.class);
        Map<String, Long> sizes = new HashMap<>();
        offers.forEach(offered -> offered.jobs().forEach(job -> sizes.put(job.id(), job.bytes())));
        Map<String, QueueCourse> courses = new TreeMap<>();
        history.eventsByQueue().forEach((queue, events) -> courses.put(queue, QueueCourse.of(events, sizes)));
        Map<String, UnderWay> underWay = UnderWay.of(offers, courses);
        for (Offered offered : offers) {
            Full full = offered.full();
            QueueCourse course = full == null ? null : courses.get(full.queue());
            UnderWay others = full == null ? null : underWay.get(full.queue());
            if (full == null || course == null || others == null) continue;
            String wrong = wrong(offered, full, course, others);
            if (wrong != null) found.add(new Violation(offered.jobs().getFirst().id(), wrong));
        }
    }

    private static @Nullable String wrong(Offered offered, Full full, QueueCourse whole, UnderWay underWay) {
        Instant from = offered.at().minus(KNOWN_WITHIN);
        Course course = whole.between(from, offered.answeredAt());
        Room own = offered.demand(full.queue());
        if (full.canNeverFit())
            return course.alwaysCanHold(own)
                    ? "%s was said never to fit into queue %s, and could".formatted(own, full.queue())
                    : null;
        // What is its own is under way, too.
        Room most = underWay.between(from, offered.answeredAt()).with(offered.mayBeHeld() ? Room.NONE : own);
        if (course.alwaysHasRoomFor(most))
            return "queue %s rejected %s, and had room for %s all the time".formatted(full.queue(), own, most);
        boolean waits = course.alwaysBlocks() && !offered.patience().isZero() && offered.inOneStep();
        if (waits && !full.tooManyWait() && offered.length().plus(EARLY_AT_MOST).compareTo(offered.patience()) < 0)
            return "queue %s rejected it after %d ms of %d"
                    .formatted(
                            full.queue(),
                            offered.length().toMillis(),
                            offered.patience().toMillis());
        return null;
    }
}
