package io.floodgate.processor.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.testing.Heap;
import io.floodgate.topics.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedIdsTest {
    private record Entry(long number, JobId id) {}

    private static JobId id(long number) {
        return new JobId(number * 31, number | 0x8000_0000_0000_0000L);
    }

    private static List<Entry> entries(SortedIds ids, long from) {
        List<Entry> entries = new ArrayList<>();
        ids.visitFrom(from, (number, id) -> entries.add(new Entry(number, id)));
        return entries;
    }

    @Test
    void is_empty_at_first() {
        SortedIds ids = new SortedIds();
        assertThat(ids.isEmpty()).isTrue();
        assertThat(ids.first()).isNull();
        assertThat(ids.remove(1, id(1))).isFalse();
        assertThat(entries(ids, 0)).isEmpty();
    }

    @Test
    void takes_an_entry_once() {
        SortedIds ids = new SortedIds();
        assertThat(ids.add(1, id(1))).isTrue();
        assertThat(ids.add(1, id(1))).isFalse();
        assertThat(ids.add(1, id(2))).isTrue();
        assertThat(ids.size()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 40, 700, 5000})
    void does_what_a_tree_does(int range) {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            SortedIds ids = new SortedIds();
            TreeSet<Entry> tree =
                    new TreeSet<>(Comparator.comparingLong(Entry::number).thenComparing(Entry::id));
            boolean grows = true;
            for (int i = 0; i < 4000; i++) {
                if (i % 700 == 0) grows = random.nextBoolean();
                Entry entry = new Entry(random.nextInt(range), id(random.nextInt(3)));
                if (random.nextInt(10) < (grows ? 7 : 3))
                    assertThat(ids.add(entry.number, entry.id)).isEqualTo(tree.add(entry));
                else assertThat(ids.remove(entry.number, entry.id)).isEqualTo(tree.remove(entry));
                assertThat(ids.size()).isEqualTo(tree.size());
                if (tree.isEmpty()) continue;
                assertThat(ids.first()).isEqualTo(tree.first().id);
                assertThat(ids.firstNumber()).isEqualTo(tree.first().number);
            }
            assertThat(entries(ids, 0)).containsExactlyElementsOf(tree);
            assertThat(entries(ids, range / 2))
                    .containsExactlyElementsOf(tree.tailSet(new Entry(range / 2, new JobId(0, 0))));
        }
    }

    /** Nothing moves more than a chunk, wherever it comes in or goes. */
    @Test
    void a_thousand_in_the_middle_of_a_million_take_no_time_worth_speaking_of() {
        SortedIds ids = new SortedIds();
        for (int i = 0; i < 1_000_000; i++) ids.add(2L * i, id(i));
        long begin = System.nanoTime();
        for (int i = 0; i < 1000; i++) ids.add(1_900_001 + 2L * i, id(i));
        assertThat(System.nanoTime() - begin).isLessThan(200_000_000L);
        assertThat(ids.size()).isEqualTo(1_001_000);
    }

    @Test
    void costs_little_more_than_its_entries() {
        bytesEach(i -> i); // what other tests have left behind is collected after it
        assertThat(bytesEach(i -> i)).isBetween(24.0, 26.0);
        Random random = new Random(1);
        assertThat(bytesEach(i -> random.nextInt())).isBetween(24.0, 42.0);
    }

    private static double bytesEach(IntUnaryOperator numbers) {
        int count = 400_000;
        long bytes = Heap.takenBy(() -> {
            SortedIds ids = new SortedIds();
            for (int i = 0; i < count; i++) ids.add(numbers.applyAsInt(i), 1, i);
            return ids;
        });
        return bytes / (double) count;
    }
}
