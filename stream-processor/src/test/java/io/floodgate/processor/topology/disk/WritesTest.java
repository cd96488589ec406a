package io.floodgate.processor.topology.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WritesTest {
    private static final byte[] KEY = {1, 2};
    private static final byte[] VALUE = {3};
    private static final byte[] NOTHING = {};

    private final Writes writes = new Writes();

    private static byte[] same(byte[] key) {
        return key.clone();
    }

    private static boolean isDeletion(Writes writes, byte[] key) {
        return Writes.isDeletion(Objects.requireNonNull(writes.find(key)));
    }

    @Test
    void what_was_written_last_is_found_by_what_the_key_says() {
        writes.put(KEY, NOTHING);
        writes.put(same(KEY), VALUE);
        assertThat(writes.find(same(KEY))).isEqualTo(VALUE);
        assertThat(writes.find(VALUE)).isNull();
    }

    @Test
    void an_empty_value_is_not_a_deletion() {
        writes.put(KEY, NOTHING);
        assertThat(isDeletion(writes, same(KEY))).isFalse();
        writes.delete(same(KEY));
        assertThat(isDeletion(writes, KEY)).isTrue();
    }

    @Test
    void what_is_withdrawn_was_never_written() {
        writes.put(KEY, VALUE);
        assertThat(writes.withdraw(same(KEY))).isTrue();
        assertThat(writes.find(KEY)).isNull();
        assertThat(writes.isEmpty()).isTrue();
        assertThat(writes.bytes()).isZero();
    }

    @Test
    void nothing_is_written_of_a_new_key_that_is_deleted() {
        writes.putNew(KEY, NOTHING);
        writes.put(same(KEY), VALUE);
        writes.delete(same(KEY));
        assertThat(writes.find(KEY)).isNull();
        assertThat(writes.isEmpty()).isTrue();
        assertThat(writes.bytes()).isZero();
    }

    @Test
    void a_key_that_comes_again_hides_what_was_there_before() {
        writes.delete(KEY);
        writes.putNew(same(KEY), VALUE);
        assertThat(writes.find(KEY)).isEqualTo(VALUE);
        writes.delete(KEY);
        assertThat(isDeletion(writes, KEY)).isTrue();
    }

    @Test
    void a_key_is_new_only_once() {
        writes.putNew(KEY, VALUE);
        writes.clear();
        writes.put(KEY, VALUE);
        writes.delete(KEY);
        assertThat(isDeletion(writes, KEY)).isTrue();
    }

    @Test
    void a_deletion_is_not_withdrawn() {
        writes.delete(KEY);
        assertThat(writes.withdraw(KEY)).isFalse();
        assertThat(isDeletion(writes, KEY)).isTrue();
        assertThat(writes.withdraw(VALUE)).isFalse();
    }

    @Test
    void each_key_counts_once() {
        writes.put(KEY, VALUE);
        long once = writes.bytes();
        writes.delete(same(KEY));
        assertThat(writes.bytes()).isEqualTo(once - VALUE.length);
        writes.put(same(KEY), VALUE);
        assertThat(writes.bytes()).isEqualTo(once);
    }

    @Test
    void they_are_visited_in_the_order_in_which_they_came() {
        Writes before = new Writes();
        before.put(new byte[] {9}, VALUE);
        before.delete(new byte[] {5});
        writes.put(new byte[] {7}, VALUE);
        writes.delete(new byte[] {9});
        before.putAll(writes);
        List<String> visited = new ArrayList<>();
        before.forEach((key, value) -> visited.add(key.get()[0] + Arrays.toString(value)));
        assertThat(visited).containsExactly("9null", "5null", "7[3]");
    }

    @Test
    void a_range_is_in_order() {
        for (int key : new int[] {-1, 3, 1}) writes.put(new byte[] {(byte) key}, VALUE);
        writes.delete(new byte[] {2});
        var range = writes.in(Range.upwards(new byte[] {2}, new byte[] {(byte) 0xFF}));
        assertThat(range.keySet()).containsExactly(new byte[] {2}, new byte[] {3});
        assertThat(range.get(new byte[] {2})).isNull();
    }
}
