package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Fetched;
import io.floodgate.verification.history.Step.Handed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Everything that was done, what it was answered, which events there were, and how it ended.
 *
 * @param events of the jobs, those of each queue in the order of their partition; empty if the run did not read them
 * @param finals of every job whose id is known, once all was quiet
 * @param queueEvents of bounded queues, each queue's in the order of its partition; empty if the run did not read them
 * @param limits what became of each rate limit; empty when there were none
 * @param keys of unique jobs, once all was quiet; empty when there were none
 */
public record History(
        List<Step> steps,
        List<EventSeen> events,
        Map<String, FinalState> finals,
        List<QueueEvent> queueEvents,
        List<LimitCourse> limits,
        List<KeyAtRest> keys) {
    /** A job in the hands of a worker. */
    public record DeliveryRef(Handed job, Fetched fetch) {}

    public History {
        steps = List.copyOf(steps);
        events = List.copyOf(events);
        finals = Map.copyOf(finals);
        queueEvents = List.copyOf(queueEvents);
        limits = List.copyOf(limits);
        keys = List.copyOf(keys);
    }

    public History(
            List<Step> steps,
            List<EventSeen> events,
            Map<String, FinalState> finals,
            List<QueueEvent> queueEvents,
            List<LimitCourse> limits) {
        this(steps, events, finals, queueEvents, limits, List.of());
    }

    public History(List<Step> steps, List<EventSeen> events, Map<String, FinalState> finals) {
        this(steps, events, finals, List.of(), List.of());
    }

    /** The same, and what others did beside it. */
    public History with(List<? extends Step> others) {
        List<Step> all = new ArrayList<>(steps);
        all.addAll(others);
        return new History(all, events, finals, queueEvents, limits, keys);
    }

    public <T extends Step> List<T> all(Class<T> kind) {
        return Step.only(kind, steps);
    }

    /** By job, in the order of their leases. */
    Map<String, List<DeliveryRef>> deliveryRefs() {
        Map<String, List<DeliveryRef>> byJob = new TreeMap<>();
        for (Fetched fetch : all(Fetched.class))
            for (Handed job : fetch.jobs())
                byJob.computeIfAbsent(job.id(), id -> new ArrayList<>()).add(new DeliveryRef(job, fetch));
        for (List<DeliveryRef> deliveryRefs : byJob.values())
            deliveryRefs.sort(
                    Comparator.comparingLong((DeliveryRef h) -> h.job().lease())
                            .thenComparingLong(h -> h.fetch().span().begun()));
        return byJob;
    }

    Map<String, List<QueueEvent>> eventsByQueue() {
        Map<String, List<QueueEvent>> byQueue = new TreeMap<>();
        for (QueueEvent event : queueEvents)
            byQueue.computeIfAbsent(event.queue(), queue -> new ArrayList<>()).add(event);
        return byQueue;
    }

    /** The events of each job, in the order in which they happened. */
    Map<String, List<EventSeen>> eventsByJob() {
        Map<String, List<EventSeen>> byJob = new LinkedHashMap<>();
        coursesByJob().forEach((job, course) -> byJob.put(job, course.events()));
        return byJob;
    }

    Map<String, JobCourse> coursesByJob() {
        Map<String, List<EventSeen>> byJob = new LinkedHashMap<>();
        for (EventSeen event : events)
            byJob.computeIfAbsent(event.job(), id -> new ArrayList<>()).add(event);
        Map<String, JobCourse> courses = new LinkedHashMap<>();
        byJob.forEach((job, told) -> courses.put(job, JobCourse.of(told)));
        return courses;
    }
}
