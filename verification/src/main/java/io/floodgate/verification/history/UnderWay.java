package io.floodgate.verification.history;

import io.floodgate.verification.history.Step.Offered;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What may hold room in a queue, or stand before others in its line, without having come in: batches over several
 * partitions, and waiting producers.
 */
final class UnderWay {
    /** When processors die, a participant of a batch learns late that the batch was rejected or never stored. */
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(30);

    private final TreeMap<Instant, Room> begun = new TreeMap<>();
    private final TreeMap<Instant, Room> ended = new TreeMap<>();

    private UnderWay() {}

    /** By queue. */
    static Map<String, UnderWay> of(List<Offered> offers, Map<String, QueueCourse> courses) {
        Map<String, UnderWay> byQueue = new TreeMap<>();
        courses.keySet().forEach(queue -> byQueue.put(queue, new UnderWay()));
        for (Offered offered : offers) {
            if (!offered.mayBeHeld()) continue;
            Instant end = end(offered, courses);
            offered.queues().forEach(queue -> {
                UnderWay underWay = byQueue.get(queue);
                if (underWay != null) underWay.add(offered.at(), end, offered.demand(queue));
            });
        }
        byQueue.values().forEach(UnderWay::sumUp);
        return byQueue;
    }

    private static Instant end(Offered offered, Map<String, QueueCourse> courses) {
        if (offered.answer() == Answer.OK) return offered.answeredAt();
        // Whatever the answer: once all of it is there, nothing of it is under way.
        List<Instant> arrivals = offered.jobs().stream()
                .map(job -> courses.get(job.queue()) == null
                        ? null
                        : courses.get(job.queue()).arrivalOf(job.id()))
                .filter(Objects::nonNull)
                .toList();
        if (arrivals.size() == offered.jobs().size())
            return arrivals.stream().max(Instant::compareTo).orElse(offered.answeredAt());
        if (offered.answer() == Answer.REJECTED && offered.inOneStep()) return offered.answeredAt();
        return offered.answeredAt().plus(offered.patience()).plus(SETTLED_WITHIN);
    }

    private void add(Instant from, Instant to, Room demand) {
        begun.merge(from, demand, Room::with);
        ended.merge(to.isBefore(from) ? from : to, demand, Room::with);
    }

    private void sumUp() {
        sumUp(begun);
        sumUp(ended);
    }

    private static void sumUp(Map<Instant, Room> each) {
        Room sum = Room.NONE;
        for (Map.Entry<Instant, Room> one : each.entrySet()) {
            sum = sum.with(one.getValue());
            one.setValue(sum);
        }
    }

    /** All that was under way at some moment of a span of time. */
    Room between(Instant from, Instant to) {
        return last(begun.floorEntry(to)).without(last(ended.lowerEntry(from)));
    }

    private static Room last(Map.@Nullable Entry<Instant, Room> entry) {
        return entry == null ? Room.NONE : entry.getValue();
    }
}
