package io.floodgate.topics.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.topics.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteRoomTest {
    private static final PartitionId LOG = new PartitionId(0);
    private static final PartitionId OTHER = new PartitionId(1);

    private final ByteRoom room = new ByteRoom(1_000, 3, Runnable::run);
    private final List<String> done = new ArrayList<>();

    @Test
    void small_things_may_be_many() {
        for (int i = 0; i < 1_000; i++) take(LOG, 1, "x");
        assertThat(done).hasSize(1_000);
    }

    @Test
    void large_ones_are_few_and_hold_up_no_other_log() {
        take(LOG, 400, "a");
        take(LOG, 400, "b");
        take(LOG, 400, "c");
        take(OTHER, 400, "d");
        assertThat(done).containsExactly("a", "b", "d");
    }

    @Test
    void who_waits_has_its_turn_when_there_is_room_and_no_client_overtakes() {
        take(LOG, 600, "a");
        take(LOG, 600, "b");
        take(LOG, 100, "c");
        assertThat(done).containsExactly("a");
        room.end(LOG, 600);
        assertThat(done).containsExactly("a", "b", "c");
    }

    @Test
    void nothing_is_too_large() {
        take(LOG, 5_000, "a");
        take(LOG, 5_000, "b");
        assertThat(done).containsExactly("a");
        room.end(LOG, 5_000);
        assertThat(done).containsExactly("a", "b");
    }

    @Test
    void only_so_many_wait() {
        for (int i = 0; i < 4; i++) assertThat(take(LOG, 2_000, "x")).isTrue();
        assertThat(take(LOG, 2_000, "x")).isFalse();
    }

    @Test
    void answers_are_expected_as_large_as_they_were_lately() {
        AnswerSizes sizes = new AnswerSizes();
        for (int i = 0; i < 200; i++) sizes.heard(LOG, 10);
        assertThat(sizes.of(LOG)).isEqualTo(10);
        sizes.heard(LOG, 1_000);
        assertThat(sizes.of(LOG)).isEqualTo(1_000);
        sizes.heard(LOG, 10);
        assertThat(sizes.of(LOG)).isBetween(800L, 999L);
        assertThat(sizes.of(OTHER)).isEqualTo(64 * 1024);
    }

    private boolean take(PartitionId log, long bytes, String name) {
        return room.take(log, null, bytes, () -> done.add(name));
    }

    @Test
    void a_source_that_asks_a_lot_waits_behind_itself() {
        ByteRoom fair = new ByteRoom(1, 100, Runnable::run);
        fair.take(LOG, "flood", 1, () -> done.add("flood 0"));
        for (int i = 1; i <= 3; i++) {
            String name = "flood " + i;
            fair.take(LOG, "flood", 1, () -> done.add(name));
        }
        fair.take(LOG, "other", 1, () -> done.add("other"));
        for (int i = 0; i < 4; i++) fair.end(LOG, 1);

        assertThat(done).containsExactly("flood 0", "flood 1", "other", "flood 2", "flood 3");
    }

    @Test
    void a_source_leaves_room_to_wait_for_others() {
        ByteRoom fair = new ByteRoom(1, 100, Runnable::run);
        int waiting = 0;
        while (fair.take(LOG, "flood", 1, () -> {})) waiting++;

        assertThat(waiting).isBetween(45, 55);
        assertThat(fair.take(LOG, "other", 1, () -> {})).isTrue();
    }
}
