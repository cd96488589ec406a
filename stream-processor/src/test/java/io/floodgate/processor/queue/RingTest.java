package io.floodgate.processor.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The ring beside a sorted map, step by step. {@code -Dring.seed=N} runs one walk. */
class RingTest {
    private static final int WALKS = 100;
    private static final int STEPS = 2000;

    private static JobId id(long place) {
        return new JobId(place, 0x8000_0000_0000_0000L | place);
    }

    @Test
    void agrees_with_a_sorted_map_whatever_happens() {
        Long only = Long.getLong("ring.seed");
        for (long seed = only == null ? 0 : only; seed < (only == null ? WALKS : only + 1); seed++) walk(seed);
    }

    private static void walk(long seed) {
        Random random = new Random(seed);
        Ring ring = new Ring();
        TreeMap<Long, JobId> naive = new TreeMap<>();
        List<Long> out = new ArrayList<>();
        long next = 0;
        // Some walks grow, some shrink, some stay near empty.
        int growth = random.nextInt(20, 80);
        for (int step = 0; step < STEPS; step++) {
            String where = "ring.seed=%d, step %d".formatted(seed, step);
            int choice = random.nextInt(100);
            if (choice < growth || naive.isEmpty()) {
                if (!out.isEmpty() && random.nextInt(3) == 0) {
                    long old = out.remove(random.nextInt(out.size()));
                    ring.add(old, id(old));
                    naive.put(old, id(old));
                } else {
                    next += random.nextInt(1, 4);
                    ring.add(next, id(next));
                    naive.put(next, id(next));
                }
            } else {
                long place = random.nextInt(3) == 0 ? any(random, naive) : naive.firstKey();
                assertThat(ring.remove(place)).as(where).isTrue();
                naive.remove(place);
                out.add(place);
            }
            if (!out.isEmpty()) assertThat(ring.remove(out.getLast())).as(where).isFalse();
            assertThat(ring.size()).as(where).isEqualTo(naive.size());
            Map.Entry<Long, JobId> first = naive.firstEntry();
            // Not always: looking steps over gaps, and changes what comes after.
            if (random.nextBoolean())
                assertThat(ring.first()).as(where).isEqualTo(first == null ? null : first.getValue());
        }
        while (!naive.isEmpty()) {
            long place = naive.firstKey();
            assertThat(ring.first()).as("ring.seed=%d, at the end", seed).isEqualTo(naive.remove(place));
            ring.remove(place);
        }
        assertThat(ring.first()).isNull();
    }

    private static long any(Random random, Map<Long, JobId> naive) {
        return List.copyOf(naive.keySet()).get(random.nextInt(naive.size()));
    }

    @Test
    void a_long_backlog_comes_out_in_order() {
        Ring ring = new Ring();
        for (long place = 1; place <= 100_000; place++) ring.add(place, id(place));
        for (long place = 1; place <= 100_000; place++) {
            assertThat(ring.first()).isEqualTo(id(place));
            ring.remove(place);
        }
        assertThat(ring.size()).isZero();
    }
}
