package io.floodgate.verification.history;

import io.floodgate.verification.history.QueueCount.Standing;
import io.floodgate.verification.history.QueueCourse.Course;
import io.floodgate.verification.history.QueueEvent.Configured;
import io.floodgate.verification.history.QueueEvent.Deleted;
import io.floodgate.verification.history.QueueEvent.Dropped;
import io.floodgate.verification.history.QueueEvent.JobMoved;
import io.floodgate.verification.history.Step.Full;
import io.floodgate.verification.history.Step.Offered;
import io.floodgate.verification.history.Step.OfferedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What must hold for bounded queues, by what producers were answered and by the events of each queue. */
final class QueueChecks {
    static final Check VICTIMS = new Check(
            "a job that makes room is available, of the lowest priority, and of those the oldest",
            QueueChecks::victims);

    static final Check WAIT_ORDER_IS_KEPT = new Check(
            "a producer that waits for room gets in before all that came later", QueueChecks::waitOrderIsKept);

    static final Check REJECTIONS_ARE_TRUE = new Check(
            "no job is rejected while there is room, nor before the time to wait for it is up",
            QueueChecks::rejectionsAreTrue);

    static final Check TENANTS_TAKE_TURNS = new Check(
            "while a tenant waits for its turn, no other tenant starts more than two jobs of the same priority",
            QueueChecks::tenantsTakeTurns);

    private QueueChecks() {}

    /**
     * Looks at the order only in queues that no batch over several logs comes to: such a batch chooses its victims when it
     * is reserved, and no event shows that before it is stored.
     */
    private static void victims(History history, List<Violation> found) {
        Offers offers = Offers.of(history);
        history.eventsByQueue().values().forEach(events -> {
            QueueCount queue = new QueueCount();
            for (QueueEvent event : events) {
                queue.apply(event);
                if (event instanceof Dropped dropped) {
                    String wrong = wrong(dropped, queue, offers);
                    if (wrong != null) found.add(new Violation(dropped.job(), wrong));
                }
            }
        });
    }

    private static @Nullable String wrong(Dropped dropped, QueueCount queue, Offers offers) {
        Standing victim = queue.beforeTheEnd(dropped.job());
        if (victim == null) return "it was dropped, and had not come in";
        if (!victim.isAvailable()) return "it was dropped while it was " + victim.state();
        if (offers.unseen.contains(dropped.queue())) return null;
        return queue.live().stream()
                .filter(other -> other.isAvailable() && offers.isSurelyBefore(other, victim))
                .findFirst()
                .map(other -> "it was dropped although %s was to be dropped before it".formatted(other.job()))
                .orElse(null);
    }

    /** What was offered: how urgent, and where victims can be chosen long before they are dropped. */
    private record Offers(Map<String, Integer> priorities, Set<String> unseen) {
        static Offers of(History history) {
            Map<String, Integer> priorities = new HashMap<>();
            Set<String> unseen = new HashSet<>();
            for (Offered offered : history.all(Offered.class)) {
                for (OfferedJob job : offered.jobs()) priorities.put(job.id(), job.priority());
                if (!offered.inOneStep()) unseen.addAll(offered.queues());
            }
            return new Offers(priorities, unseen);
        }

        boolean isSurelyBefore(Standing other, Standing victim) {
            Integer ofOther = priorities.get(other.job());
            Integer ofVictim = priorities.get(victim.job());
            if (ofOther == null || ofVictim == null) return false;
            return ofOther < ofVictim || (ofOther.equals(ofVictim) && other.rank() < victim.rank());
        }
    }

    /**
     * Looks at jobs about which one log decides at once: one of a batch over several may wait elsewhere, and takes its old place
     * in this line when others have long passed it.
     */
    private static void waitOrderIsKept(History history, List<Violation> found) {
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

    /** So old may be what a gateway goes by. */
    private static final Duration KNOWN_WITHIN = Duration.ofSeconds(2);

    /** Timers are no more exact than a busy machine. */
    private static final Duration EARLY_AT_MOST = Duration.ofMillis(100);

    /**
     * A rejection is false when there was room all the time, from the request to its answer, even if everything that others had
     * under way had come in first. A gateway may know a queue as it was a little while before.
     */
    private static void rejectionsAreTrue(History history, List<Violation> found) {
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

    /** Of one tenant, between two of another one that waits: the second where both have the same turn. */
    private static final int MAX_STARTS = 2;

    /**
     * Looks at queues whose tenants take turns, without weights, from when nothing was available there: jobs that were there before
     * are sorted by and by. Like the check of victims it leaves out queues that batches over several logs come to, since a job
     * that is to make room for one cannot start, which no event shows.
     */
    private static void tenantsTakeTurns(History history, List<Violation> found) {
        Map<String, OfferedJob> jobs = new HashMap<>();
        Set<String> unseen = new HashSet<>();
        for (Offered offered : history.all(Offered.class)) {
            for (OfferedJob job : offered.jobs()) jobs.put(job.id(), job);
            if (!offered.inOneStep()) unseen.addAll(offered.queues());
        }
        history.eventsByQueue().forEach((name, events) -> {
            if (unseen.contains(name)) return;
            Turns turns = new Turns(jobs, found);
            events.forEach(turns::apply);
        });
    }

    /** A tenant with available jobs of a priority, and what others have started since its last start, or since it waits. */
    private static final class Waiting {
        private final Set<String> jobs = new HashSet<>();
        private final Map<String, Integer> startsOfOthers = new TreeMap<>();
    }

    private static final class Turns {
        private final Map<String, OfferedJob> known;
        private final List<Violation> found;
        private final Map<Integer, Map<String, Waiting>> waiting = new TreeMap<>();
        private final Set<String> available = new HashSet<>();
        private boolean isFair;
        private boolean isWatched;

        Turns(Map<String, OfferedJob> known, List<Violation> found) {
            this.known = known;
            this.found = found;
        }

        void apply(QueueEvent event) {
            switch (event) {
                case Configured c -> isFair = c.isFair();
                case Deleted d -> {
                    isFair = false;
                    available.clear();
                    waiting.clear();
                }
                case Dropped d -> {}
                case JobMoved moved -> {
                    OfferedJob job = known.get(moved.job());
                    if (job != null) move(moved, job);
                }
            }
            if (!isFair) isWatched = false;
            else if (available.isEmpty()) isWatched = true;
        }

        private void move(JobMoved moved, OfferedJob job) {
            Map<String, Waiting> tenants = waiting.computeIfAbsent(job.priority(), priority -> new TreeMap<>());
            if (moved.type().equals("job.started") && isWatched) start(job, tenants);
            if (moved.state().equals("available")) {
                available.add(job.id());
                tenants.computeIfAbsent(job.tenant(), tenant -> new Waiting())
                        .jobs
                        .add(job.id());
            } else if (available.remove(job.id())) {
                Waiting own = tenants.get(job.tenant());
                if (own == null) return;
                own.jobs.remove(job.id());
                if (own.jobs.isEmpty()) tenants.remove(job.tenant());
            }
        }

        private void start(OfferedJob job, Map<String, Waiting> tenants) {
            tenants.forEach((tenant, other) -> {
                if (tenant.equals(job.tenant())) other.startsOfOthers.clear();
                else if (other.startsOfOthers.merge(job.tenant(), 1, Integer::sum) > MAX_STARTS)
                    found.add(new Violation(
                            job.id(),
                            "it started as one of %d jobs of '%s' while '%s' was waiting"
                                    .formatted(other.startsOfOthers.get(job.tenant()), job.tenant(), tenant)));
            });
        }
    }
}
