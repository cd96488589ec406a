package io.floodgate.verification.sink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges what a sink has written: by the events, and by what the producers of the jobs know.
 *
 * @param outcomes as the topic of events has them, in its order
 * @param written as a reader of committed records finds them, in the order of each partition
 * @param args of the jobs, as far as their producers know them
 */
record SinkJudge(List<Outcome> outcomes, List<Written> written, Map<String, String> args) {
    record Outcome(String event, String job, String kind) {}

    record Written(Outcome outcome, String value) {}

    List<String> lost() {
        Set<Outcome> there = new HashSet<>();
        written.forEach(each -> there.add(each.outcome));
        return outcomes.stream()
                .filter(outcome -> !there.contains(outcome))
                .map("%s is not written"::formatted)
                .toList();
    }

    List<String> doubled() {
        Set<String> there = new HashSet<>();
        return written.stream()
                .filter(each -> !there.add(each.outcome.event))
                .map("%s is written again"::formatted)
                .toList();
    }

    List<String> invented() {
        Set<Outcome> known = new HashSet<>(outcomes);
        return written.stream()
                .filter(each -> !known.contains(each.outcome))
                .map("%s is no outcome"::formatted)
                .toList();
    }

    List<String> disorder() {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < outcomes.size(); i++) places.put(outcomes.get(i).event, i);
        Map<String, Integer> last = new HashMap<>();
        List<String> broken = new ArrayList<>();
        for (Written each : written) {
            Integer place = places.get(each.outcome.event);
            if (place == null) continue;
            Integer before = last.put(each.outcome.job, place);
            if (before != null && before > place) broken.add("%s comes too late".formatted(each));
        }
        return broken;
    }

    List<String> wrong() {
        return written.stream()
                .filter(each -> {
                    String known = args.get(each.outcome.job);
                    return known != null && !known.equals(each.value);
                })
                .map(each -> "%s, but its job has %s".formatted(each, args.get(each.outcome.job)))
                .toList();
    }
}
