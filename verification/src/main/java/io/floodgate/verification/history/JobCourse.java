package io.floodgate.verification.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The way of a job through queues. The events of one queue are in order, but nothing says what came first in two of
 * them: that follows from the queue that the job came from each time.
 *
 * @param events of all queues, in the order of its way
 * @param strays arrivals from a queue in which it was not
 */
record JobCourse(List<EventSeen> events, List<EventSeen> strays) {
    JobCourse {
        events = List.copyOf(events);
        strays = List.copyOf(strays);
    }

    static JobCourse of(List<EventSeen> told) {
        if (told.stream().noneMatch(EventSeen::isArrival)) return new JobCourse(told, List.of());
        Map<String, Deque<List<EventSeen>>> stays = stays(told);
        List<EventSeen> way = new ArrayList<>();
        for (Deque<List<EventSeen>> inOneQueue : stays.values())
            if (!inOneQueue.getFirst().getFirst().isArrival()) way.addAll(inOneQueue.removeFirst());
        for (Deque<List<EventSeen>> next = next(way, stays); next != null; next = next(way, stays))
            way.addAll(next.removeFirst());
        List<EventSeen> strays = new ArrayList<>();
        for (Deque<List<EventSeen>> left : stays.values()) {
            for (List<EventSeen> stay : left) {
                way.addAll(stay);
                strays.add(stay.getFirst());
            }
        }
        return new JobCourse(way, strays);
    }

    /** By queue, one after the other. */
    private static Map<String, Deque<List<EventSeen>>> stays(List<EventSeen> told) {
        Map<String, Deque<List<EventSeen>>> stays = new LinkedHashMap<>();
        for (EventSeen event : told) {
            Deque<List<EventSeen>> inQueue = stays.computeIfAbsent(event.queue(), queue -> new ArrayDeque<>());
            if (event.isArrival() || inQueue.isEmpty()) inQueue.add(new ArrayList<>());
            inQueue.getLast().add(event);
        }
        return stays;
    }

    /** Of the queue to which the job went from the end of its way so far, if it went on. */
    private static @Nullable Deque<List<EventSeen>> next(
            List<EventSeen> way, Map<String, Deque<List<EventSeen>>> stays) {
        if (way.isEmpty()) return null;
        String last = way.getLast().queue();
        for (Deque<List<EventSeen>> inQueue : stays.values())
            if (!inQueue.isEmpty() && last.equals(inQueue.getFirst().getFirst().from())) return inQueue;
        return null;
    }
}
