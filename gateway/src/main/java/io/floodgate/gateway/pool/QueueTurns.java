package io.floodgate.gateway.pool;

import io.floodgate.topics.queue.QueueSharing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Decides which queue of a fetch is looked into first. With weights, each queue is first exactly as often as its weight
 * says within as many fetches as all weights together (smooth weighted round robin); the others follow in the order of
 * how long they are owed a turn.
 */
final class QueueTurns {
    /** Sets of queues whose turns are known; that of the set that was used longest ago begins from the start. */
    private static final int MOST = 1_000;

    private final ToLongFunction<String> waiting;
    private final Map<String, long[]> owed = new LinkedHashMap<>(64, 0.75f, true);

    /** @param waiting how many jobs of a queue wait */
    QueueTurns(ToLongFunction<String> waiting) {
        this.waiting = waiting;
    }

    /** @param of who shares them: fetches with the same name take turns together */
    List<String> order(String of, QueueSharing sharing, Map<String, Integer> weights) {
        List<String> queues = List.copyOf(weights.keySet());
        return switch (sharing) {
            case STRICT -> queues;
            case LEAST_LOADED ->
                queues.stream()
                        .sorted(Comparator.comparingLong(waiting).reversed())
                        .toList();
            case ROUND_ROBIN -> turn(of, queues, queues.stream().map(queue -> 1).toList());
            case WEIGHTED -> turn(of, queues, List.copyOf(weights.values()));
        };
    }

    private synchronized List<String> turn(String of, List<String> queues, List<Integer> weights) {
        String key = of + '\n' + String.join(",", queues) + '\n' + weights;
        long[] own = owed.computeIfAbsent(key, none -> new long[queues.size()]);
        if (owed.size() > MOST) owed.remove(owed.keySet().iterator().next());
        long total = 0;
        for (int i = 0; i < own.length; i++) {
            own[i] += weights.get(i);
            total += weights.get(i);
        }
        List<Integer> order = new ArrayList<>(IntStream.range(0, own.length)
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> own[i]).reversed())
                .toList());
        own[order.getFirst()] -= total;
        return order.stream().map(queues::get).toList();
    }
}
