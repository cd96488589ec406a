package io.floodgate.gateway.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What needs attention.
 *
 * @param unexplained how many queues look suspicious and were not asked about yet
 * @param alike what was not asked about, but shows the same sign as what was; by kind and code
 */
record Problems(List<Problem> all, long unexplained, Map<Alike, Long> alike) {
    /** Entries that are seen without scrolling in a small terminal. */
    private static final int FEW = 8;
    /** Findings that are alike are entries of their own up to this number, if there is room. */
    private static final int SINGLE = 3;

    /** The same finding of things of the same kind. */
    record Alike(String kind, FindingCode code) {
        static Alike of(Problem problem) {
            return new Alike(problem.subject().kind(), problem.finding().code());
        }
    }

    Problems {
        all = List.copyOf(all);
        alike = Map.copyOf(alike);
    }

    Problems and(Problems others) {
        List<Problem> together = new ArrayList<>(all);
        together.addAll(others.all);
        Map<Alike, Long> more = new LinkedHashMap<>(alike);
        others.alike.forEach((each, count) -> more.merge(each, count, Long::sum));
        return new Problems(together, unexplained + others.unexplained, more);
    }

    /** The worst first: many that are alike are one group; of many entries, two that are alike are one. */
    List<ProblemGroup> groups() {
        List<ProblemGroup> groups = groups(SINGLE);
        return groups.size() <= FEW ? groups : groups(1);
    }

    private List<ProblemGroup> groups(int single) {
        Map<String, List<Problem>> byKind = new LinkedHashMap<>();
        all.stream()
                .sorted(Problem.WORST_FIRST)
                .forEach(problem -> byKind.computeIfAbsent(
                                Alike.of(problem) + " " + problem.severity(), kind -> new ArrayList<>())
                        .add(problem));
        Map<Alike, Long> left = new LinkedHashMap<>(alike);
        List<ProblemGroup> groups = new ArrayList<>();
        for (List<Problem> same : byKind.values()) {
            // They count with the worst of those whose severities differ.
            Long more = left.remove(Alike.of(same.getFirst()));
            groups.addAll(ProblemGroup.of(same, more == null ? 0 : more, single));
        }
        groups.sort((one, other) -> Problem.WORST_FIRST.compare(one.worst(), other.worst()));
        return groups;
    }

    /** What is in no group: of these nothing is known but that they look suspicious. */
    long ungrouped() {
        return unexplained
                - alike.entrySet().stream()
                        .filter(each -> each.getKey().kind().equals("queue"))
                        .filter(each -> all.stream()
                                .anyMatch(problem -> Alike.of(problem).equals(each.getKey())))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }
}
