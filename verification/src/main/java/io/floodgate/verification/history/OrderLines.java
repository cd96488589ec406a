package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Ordered;
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
    /** Jobs whose next event must be that they are passed. */
    private final Set<String> failed = new HashSet<>();

    private int last;
    private int starts;
    private int startsBeforeOthers;
    private int passed;
    private int longest;

    private OrderLines() {}

    static OrderLines of(History history) {
        Map<String, Ordered> jobs = byJob(history);
        OrderLines found = new OrderLines();
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
        boolean isPassed = event.type().equals(SKIPPED);
        if (isPassed) passed++;
        boolean mustBe = failed.remove(event.job());
        if (job.order().isSkipping()) {
            if (isPassed != mustBe)
                wronglyPassed.add(new Violation(
                        event.job(),
                        isPassed ? "it was passed and had not failed" : "it has failed and was not passed at once"));
            if (event.type().equals("job.retrying")) failed.add(event.job());
        } else if (isPassed && job.order().blockAtMost() == null) {
            wronglyPassed.add(
                    new Violation(event.job(), "it was passed in queue %s, which waits".formatted(job.queue())));
        }
    }

    /** Returns how much there was to go wrong, if there were order keys. */
    Optional<String> words() {
        return starts == 0
                ? Optional.empty()
                : Optional.of(
                        "%,d starts of jobs of %,d order keys, %,d of them before others that waited; %,d jobs were passed, up to %,d were in one line"
                                .formatted(starts, lines.size(), startsBeforeOthers, passed, longest));
    }
}
