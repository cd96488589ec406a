package io.floodgate.verification.outbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Judges what became of the rows of an outbox: by what the database has committed, and by the jobs that events name.
 *
 * @param orders the transactions that are in the database, by the ids of their jobs
 * @param jobs ids in the order in which they came in
 */
record OutboxJudge(Map<String, Order> orders, List<String> jobs) {
    /**
     * A transaction.
     *
     * @param key transactions of a key are committed one after the other
     */
    record Order(int key, int number) {}

    List<String> lost() {
        Set<String> came = new HashSet<>(jobs);
        return orders.keySet().stream()
                .filter(id -> !came.contains(id))
                .map("order %s was committed and is no job"::formatted)
                .toList();
    }

    List<String> doubled() {
        Set<String> came = new HashSet<>();
        return jobs.stream()
                .filter(id -> !came.add(id))
                .map("job %s came in twice"::formatted)
                .toList();
    }

    List<String> invented() {
        return jobs.stream()
                .filter(id -> !orders.containsKey(id))
                .map("job %s is of no order that was committed"::formatted)
                .toList();
    }

    List<String> disorder() {
        List<String> broken = new ArrayList<>();
        Map<Integer, Integer> last = new HashMap<>();
        for (String job : jobs) {
            Order order = orders.get(job);
            if (order == null) continue;
            Integer before = last.put(order.key, order.number);
            if (before != null && before > order.number)
                broken.add("order %d of key %d came in after order %d".formatted(order.number, order.key, before));
        }
        return broken;
    }
}
