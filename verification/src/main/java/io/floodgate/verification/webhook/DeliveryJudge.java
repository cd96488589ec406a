package io.floodgate.verification.webhook;

import io.floodgate.verification.webhook.DeliveryCourse.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Judges deliveries from outside: by what came to subscribers, and by the events on the topic. */
final class DeliveryJudge {
    /** After this time, a delivery that fails no longer holds back those after it. */
    private static final Duration BLOCKS = Duration.ofMinutes(10);

    private DeliveryJudge() {}

    static List<String> lost(DeliveryCourse course) {
        Set<String> came = new HashSet<>();
        for (Seen arrival : course.arrivals()) came.add(arrival.event());
        return course.happened().stream()
                .filter(event -> event.at().isAfter(course.since()) && !came.contains(event.event()))
                .map(event -> "%s: event %s of %s never came".formatted(course.subscriber(), event.event(), event.at()))
                .toList();
    }

    /** Only what was committed has happened. */
    static List<String> invented(DeliveryCourse course) {
        Set<String> happened = new HashSet<>();
        for (Seen event : course.happened()) happened.add(event.event());
        return course.arrivals().stream()
                .filter(arrival -> !happened.contains(arrival.event()))
                .map(arrival -> "%s: event %s came, which the topic does not have"
                        .formatted(course.subscriber(), arrival.event()))
                .toList();
    }

    /** One after the other; what came may come again, as long as nothing later has come. */
    static List<String> disorder(DeliveryCourse course) {
        Map<String, Integer> places = new HashMap<>();
        for (Seen event : course.happened()) places.put(event.event(), places.size());
        List<String> broken = new ArrayList<>();
        int last = -1;
        for (Seen arrival : course.arrivals()) {
            Integer place = places.get(arrival.event());
            if (place == null) continue;
            if (place < last) {
                Seen later = firstAfter(place, places, course.arrivals());
                Instant mayPass = course.happened().get(place).at().plus(BLOCKS);
                if (later.at().isBefore(mayPass))
                    broken.add("%s: event %s came at %s, and %s, which happened later, at %s"
                            .formatted(course.subscriber(), arrival.event(), arrival.at(), later.event(), later.at()));
            }
            last = Math.max(last, place);
        }
        return broken;
    }

    private static Seen firstAfter(int place, Map<String, Integer> places, List<Seen> arrivals) {
        return arrivals.stream()
                .filter(arrival -> places.getOrDefault(arrival.event(), -1) > place)
                .findFirst()
                .orElseThrow();
    }

    /** From an event to the first time it came, of those that happened in this time, sorted. */
    static long[] delays(List<DeliveryCourse> courses, Instant from, Instant to) {
        return courses.stream()
                .flatMapToLong(course -> {
                    Map<String, Instant> came = new HashMap<>();
                    for (Seen arrival : course.arrivals()) came.putIfAbsent(arrival.event(), arrival.at());
                    return course.happened().stream()
                            .filter(event ->
                                    !event.at().isBefore(from) && event.at().isBefore(to))
                            .filter(event -> came.containsKey(event.event()))
                            .mapToLong(event -> Duration.between(event.at(), came.get(event.event()))
                                    .toMillis());
                })
                .sorted()
                .toArray();
    }
}
