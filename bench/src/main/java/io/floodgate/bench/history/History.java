package io.floodgate.bench.history;

import io.floodgate.bench.history.Step.Acked;
import io.floodgate.bench.history.Step.Beat;
import io.floodgate.bench.history.Step.Cancelled;
import io.floodgate.bench.history.Step.Enqueued;
import io.floodgate.bench.history.Step.Fetched;
import io.floodgate.bench.history.Step.Handed;
import io.floodgate.bench.history.Step.Nacked;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything that was done, what it was answered, which events there were, and how it ended.
 *
 * @param events of the jobs, in the order of their partition; empty when nobody has read them
 * @param finals of every job whose id is known, once all was quiet
 */
public record History(List<Step> steps, List<EventSeen> events, Map<String, FinalState> finals) {
    /** A job in the hands of a worker. */
    public record Handout(Handed job, Fetched fetch) {}

    public History {
        steps = List.copyOf(steps);
        events = List.copyOf(events);
        finals = Map.copyOf(finals);
    }

    public <T extends Step> List<T> all(Class<T> kind) {
        return steps.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** By job, in the order of their leases. */
    Map<String, List<Handout>> handouts() {
        Map<String, List<Handout>> byJob = new TreeMap<>();
        for (Fetched fetch : all(Fetched.class))
            for (Handed job : fetch.jobs())
                byJob.computeIfAbsent(job.id(), id -> new ArrayList<>()).add(new Handout(job, fetch));
        for (List<Handout> handouts : byJob.values())
            handouts.sort(Comparator.comparingLong((Handout h) -> h.job().lease())
                    .thenComparingLong(h -> h.fetch().span().begun()));
        return byJob;
    }

    Map<String, List<EventSeen>> eventsByJob() {
        Map<String, List<EventSeen>> byJob = new LinkedHashMap<>();
        for (EventSeen event : events)
            byJob.computeIfAbsent(event.job(), id -> new ArrayList<>()).add(event);
        return byJob;
    }

    /** All that is known of one job, for whoever has to find out what went wrong. */
    public List<String> about(String job) {
        List<String> lines = new ArrayList<>();
        steps.stream()
                .filter(step -> concerns(step, job))
                .sorted(Comparator.comparingLong(step -> step.span().begun()))
                .forEach(step -> lines.add(step.toString()));
        events.stream().filter(event -> event.job().equals(job)).forEach(event -> lines.add(event.toString()));
        FinalState end = finals.get(job);
        if (end != null) lines.add(end.toString());
        return lines;
    }

    private static boolean concerns(Step step, String job) {
        return switch (step) {
            case Enqueued s -> job.equals(s.id()) || job.equals(s.token());
            case Fetched s -> s.jobs().stream().anyMatch(handed -> handed.id().equals(job));
            case Acked s -> s.id().equals(job);
            case Nacked s -> s.id().equals(job);
            case Cancelled s -> s.id().equals(job);
            case Beat s -> s.extended().contains(job);
        };
    }
}
