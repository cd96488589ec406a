package io.floodgate.verification.history;

import io.floodgate.topics.queue.KeyOrder;
import io.floodgate.verification.history.Step.Ordered;
import io.floodgate.verification.history.Step.Skipped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The lines of order keys, event by event. Which job has which key is known from the clients that enqueued them. */
final class OrderLines {
    private static final String SKIPPED = "floodgate.order_skipped";
    static final Set<String> ENDED = Set.of("completed", "cancelled", "discarded");

    private static final class Line {
        /** Jobs that have not ended and are not passed, in the order in which they came. */
        private final TreeMap<Integer, String> jobs = new TreeMap<>();

        private @Nullable String running;
    }

    final List<Violation> together = new ArrayList<>();
    final List<Violation> inversions = new ArrayList<>();
    final List<Violation> wronglyPassed = new ArrayList<>();
    private final Map<String, Line> lines = new HashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    /** Seconds in which a queue may have events before a job of it is passed. */
    private static final int MOST_LATE = 3;

    /** Jobs whose next event must be that they are passed. */
    private final Set<String> failed = new HashSet<>();
    /** Jobs that clients asked to pass. */
    private final Set<String> requested = new HashSet<>();
    /** From when on a job that has failed is passed, of queues that say so. */
    private final Map<String, Instant> freeFrom = new HashMap<>();
    /** The same for jobs that wait for their next attempt, and keep their keys back until then. */
    private final Map<String, Instant> blocking = new HashMap<>();
    /** In which each queue had events. */
    private final Map<String, TreeSet<Long>> seconds = new HashMap<>();

    private final Map<String, Integer> passed = new TreeMap<>();

    private int last;
    private int starts;
    private int startsBeforeOthers;
    private int longest;

    private OrderLines() {}

    static OrderLines of(History history) {
        Map<String, Ordered> jobs = byJob(history);
        OrderLines found = new OrderLines();
        for (Skipped skip : history.all(Skipped.class))
            if (skip.answer().mayHaveHappened()) found.requested.add(skip.id());
        if (jobs.isEmpty()) return found;
        for (EventSeen event : history.events()) {
            Ordered job = jobs.get(event.job());
            if (job != null) found.apply(event, job);
        }
        return found;
    }

    static Map<String, Ordered> byJob(History history) {
        Map<String, Ordered> jobs = new HashMap<>();
        for (Ordered job : history.all(Ordered.class)) jobs.put(job.id(), job);
        return jobs;
    }

    private void apply(EventSeen event, Ordered job) {
        String id = event.job();
        Line line = lines.computeIfAbsent(job.line(), l -> new Line());
        boolean comes = !places.containsKey(id) || event.type().equals("dead_letter.retried");
        if (comes) places.put(id, ++last);
        int place = Objects.requireNonNull(places.get(id));
        pass(event, job);
        if (event.type().equals("job.started")) start(id, place, line, job);
        else if (!event.state().equals("active") && id.equals(line.running)) line.running = null;
        if (ENDED.contains(event.state()) || event.type().equals(SKIPPED)) line.jobs.remove(place);
        else if (comes || event.state().equals("available")) line.jobs.put(place, id);
        longest = Math.max(longest, line.jobs.size());
    }

    private void start(String id, int place, Line line, Ordered job) {
        Entry<Integer, String> first = line.jobs.firstEntry();
        if (line.running != null)
            together.add(
                    new Violation(id, "it started while job %s of key %s ran".formatted(line.running, job.line())));
        if (first != null && first.getKey() < place)
            inversions.add(
                    new Violation(id, "it started before job %s of key %s".formatted(first.getValue(), job.line())));
        starts++;
        if (line.jobs.size() > 1) startsBeforeOthers++;
        line.running = id;
    }

    private void pass(EventSeen event, Ordered job) {
        String id = event.job();
        boolean isPassed = event.type().equals(SKIPPED);
        if (isPassed) passed.merge(String.valueOf(event.reason()), 1, Integer::sum);
        boolean mustBe = failed.remove(id);
        if (mustBe && !isPassed) wronglyPassed.add(new Violation(id, "it has failed and was not passed at once"));
        if (isPassed && !mustBe && !mayBePassed(event, job))
            wronglyPassed.add(new Violation(
                    id, "it was passed in queue %s, because of %s".formatted(job.queue(), event.reason())));
        free(event);
        if (event.type().equals("dead_letter.retried")) freeFrom.remove(id);
        if (event.type().equals("job.retrying")) fail(event, job.order());
        seconds.computeIfAbsent(event.queue(), queue -> new TreeSet<>())
                .add(event.at().getEpochSecond());
    }

    private boolean mayBePassed(EventSeen event, Ordered job) {
        Instant from = freeFrom.get(event.job());
        return switch (String.valueOf(event.reason())) {
            case "requested" -> requested.contains(event.job());
            case "block_at_most" ->
                job.order().blockAtMost() != null && from != null && !event.at().isBefore(from);
            default -> false;
        };
    }

    private void fail(EventSeen event, KeyOrder order) {
        Duration most = order.blockAtMost();
        if (most != null) {
            Instant from =
                    freeFrom.computeIfAbsent(event.job(), id -> event.at().plus(most));
            if (event.at().isBefore(from)) blocking.put(event.job(), from);
            else failed.add(event.job());
        } else if (order.isSkipping()) failed.add(event.job());
    }

    /** A job that waits for its next attempt has kept its key back until now. */
    private void free(EventSeen event) {
        Instant from = blocking.remove(event.job());
        TreeSet<Long> alive = seconds.get(event.queue());
        if (from == null || alive == null || !from.isBefore(event.at())) return;
        long first = from.getEpochSecond() + 1;
        // Nothing is passed while its partition is down.
        int late = alive.subSet(first, Math.max(first, event.at().getEpochSecond()))
                .size();
        if (late > MOST_LATE)
            wronglyPassed.add(new Violation(
                    event.job(),
                    "it kept its key back for more than block_at_most: events of its queue came in %d later seconds"
                            .formatted(late)));
    }

    /** Returns how much there was to go wrong, if there were order keys. */
    Optional<String> words() {
        return starts == 0
                ? Optional.empty()
                : Optional.of(
                        "%,d starts of jobs of %,d order keys, %,d of them before others that waited; jobs passed: %s; up to %,d were in one line"
                                .formatted(starts, lines.size(), startsBeforeOthers, passed, longest));
    }
}
