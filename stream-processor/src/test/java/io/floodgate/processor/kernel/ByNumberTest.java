package io.floodgate.processor.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Heap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

class ByNumberTest {
    /** Grows and shrinks, with chunks that split, join and become empty; numbers are at the edges, too. */
    @Test
    void is_a_sorted_map() {
        for (int seed = 0; seed < 30; seed++) {
            Random random = new Random(seed);
            ByNumber<String> things = new ByNumber<>();
            TreeMap<Long, String> map = new TreeMap<>();
            int range = seed % 3 == 0 ? 50 : 20_000;
            for (int step = 0; step < 30_000; step++) {
                boolean grows = step / 6_000 % 2 == 0;
                int some = random.nextInt(range);
                long number = some == 0 ? Long.MIN_VALUE : some == 1 ? Long.MAX_VALUE : some - range / 2L;
                assertThat(things.find(number)).isEqualTo(map.get(number));
                if (random.nextInt(10) < (grows ? 8 : 1)) {
                    String made = "thing " + step;
                    assertThat(things.computeIfAbsent(number, () -> made))
                            .isEqualTo(map.computeIfAbsent(number, n -> made));
                } else {
                    map.remove(number);
                    things.remove(number);
                }
                assertThat(things.size()).isEqualTo(map.size());
            }
            List<String> visited = new ArrayList<>();
            things.visit((number, thing) -> visited.add(number + " " + thing));
            assertThat(visited)
                    .containsExactlyElementsOf(map.entrySet().stream()
                            .map(entry -> entry.getKey() + " " + entry.getValue())
                            .toList());
            things.clear();
            assertThat(things.size()).isZero();
            assertThat(things.find(0)).isNull();
        }
    }

    @Test
    void costs_little_more_than_its_entries() {
        bytesEach(i -> i); // what other tests have left behind is collected after it
        assertThat(bytesEach(i -> i)).isBetween(8.0, 25.0);
        Random random = new Random(1);
        assertThat(bytesEach(i -> random.nextLong())).isBetween(8.0, 20.0);
    }

    private static double bytesEach(LongUnaryOperator numbers) {
        int count = 400_000;
        long bytes = Heap.takenBy(() -> {
            ByNumber<String> things = new ByNumber<>();
            for (int i = 0; i < count; i++) {
                things.computeIfAbsent(numbers.applyAsLong(i), () -> "one");
            }
            return things;
        });
        return bytes / (double) count;
    }
}
