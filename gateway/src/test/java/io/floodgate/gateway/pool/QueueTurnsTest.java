package io.floodgate.gateway.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.queue.QueueSharing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueueTurnsTest {
    private final QueueTurns turns = new QueueTurns(queue -> queue.length());

    private static Map<String, Integer> weights(Object... pairs) {
        Map<String, Integer> weights = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) weights.put((String) pairs[i], (Integer) pairs[i + 1]);
        return weights;
    }

    @Test
    void each_queue_is_first_exactly_as_often_as_its_weight_says() {
        Map<String, Integer> weights = weights("a", 3, "b", 2, "c", 1);
        for (int cycle = 0; cycle < 50; cycle++) {
            Map<String, Integer> firsts = new TreeMap<>();
            for (int i = 0; i < 6; i++) {
                List<String> order = turns.order("pool", QueueSharing.WEIGHTED, weights);
                assertThat(order).containsExactlyInAnyOrder("a", "b", "c");
                firsts.merge(order.getFirst(), 1, Integer::sum);
            }
            assertThat(firsts).isEqualTo(weights);
        }
    }

    @Test
    void a_light_queue_is_spread_and_never_put_off_to_the_end() {
        Map<String, Integer> weights = weights("heavy", 99, "light", 1);
        int since = 0;
        for (int i = 0; i < 1_000; i++) {
            since++;
            if (!turns.order("pool", QueueSharing.WEIGHTED, weights).getFirst().equals("light")) continue;
            assertThat(since).isLessThanOrEqualTo(100);
            since = 0;
        }
        assertThat(since).isLessThanOrEqualTo(100);
    }

    @Test
    void round_robin_begins_with_each_in_turn() {
        Map<String, Integer> weights = weights("a", 9, "b", 1, "c", 1);
        assertThat(List.of(
                        turns.order("x", QueueSharing.ROUND_ROBIN, weights).getFirst(),
                        turns.order("x", QueueSharing.ROUND_ROBIN, weights).getFirst(),
                        turns.order("x", QueueSharing.ROUND_ROBIN, weights).getFirst(),
                        turns.order("x", QueueSharing.ROUND_ROBIN, weights).getFirst()))
                .containsExactly("a", "b", "c", "a");
        assertThat(turns.order("y", QueueSharing.ROUND_ROBIN, weights).getFirst())
                .as("others take turns of their own")
                .isEqualTo("a");
    }

    @Test
    void strict_is_as_named_and_least_loaded_by_what_waits() {
        Map<String, Integer> weights = weights("a", 1, "ccc", 1, "bb", 1);
        assertThat(turns.order("x", QueueSharing.STRICT, weights)).containsExactly("a", "ccc", "bb");
        assertThat(turns.order("x", QueueSharing.LEAST_LOADED, weights)).containsExactly("ccc", "bb", "a");
    }
}
