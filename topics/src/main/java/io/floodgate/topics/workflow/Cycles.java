package io.floodgate.topics.workflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds steps that need each other. */
final class Cycles {
    private Cycles() {}

    /** @param needs of each, by position; the members of one cycle, each followed by one it needs; none if there is no cycle */
    static List<Integer> find(List<List<Integer>> needs) {
        int[] left = new int[needs.size()];
        List<List<Integer>> dependents = new ArrayList<>();
        for (int i = 0; i < left.length; i++) dependents.add(new ArrayList<>());
        ArrayDeque<Integer> free = new ArrayDeque<>();
        for (int i = 0; i < left.length; i++) {
            left[i] = needs.get(i).size();
            for (int needed : needs.get(i)) dependents.get(needed).add(i);
            if (left[i] == 0) free.add(i);
        }
        while (!free.isEmpty()) for (int next : dependents.get(free.remove())) if (--left[next] == 0) free.add(next);
        int begin = -1;
        for (int i = left.length - 1; i >= 0; i--) if (left[i] > 0) begin = i;
        if (begin < 0) return List.of();
        List<Integer> way = new ArrayList<>();
        int at = begin;
        // Each step that is left needs another one that is left, so the way comes back.
        while (!way.contains(at)) {
            way.add(at);
            at = firstLeft(needs.get(at), left);
        }
        List<Integer> cycle = new ArrayList<>(way.subList(way.indexOf(at), way.size()));
        cycle.add(at);
        return Collections.unmodifiableList(cycle);
    }

    private static int firstLeft(List<Integer> needs, int[] left) {
        for (int needed : needs) if (left[needed] > 0) return needed;
        throw new IllegalStateException("a step that waits for no other");
    }
}
