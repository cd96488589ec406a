package io.floodgate.gateway.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * What needs attention.
 *
 * @param unexplained how many queues look suspicious and were not asked about yet
 */
record Problems(List<Problem> all, int unexplained) {
    Problems {
        all = List.copyOf(all);
    }

    Problems and(List<Problem> others) {
        List<Problem> together = new ArrayList<>(all);
        together.addAll(others);
        return new Problems(together, unexplained);
    }
}
