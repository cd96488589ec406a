package io.floodgate.processor.topology;

import static io.floodgate.processor.topology.Presence.BETWEEN;
import static io.floodgate.processor.topology.Presence.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class PresenceTest {
    private static final Duration LITTLE = Duration.ofSeconds(1);

    private final Set<String> members = new TreeSet<>(Set.of("a-1", "b-1"));
    private List<String> aDoesNotReach = List.of();
    private List<String> bDoesNotReach = List.of();
    private long now = System.nanoTime();
    private final Presence a = presence("a", () -> aDoesNotReach);
    private final Presence b = presence("b", () -> bDoesNotReach);

    private Presence presence(String node, Supplier<List<String>> outOfReach) {
        return new Presence(node, outOfReach, () -> new HashSet<>(members), members::removeIf, () -> now);
    }

    private void look(Duration later) {
        now += later.toNanos();
        a.look();
        b.look();
    }

    @Test
    void leaves_a_while_after_it_has_lost_a_broker_and_comes_back_with_it() {
        look(LITTLE);
        aDoesNotReach = List.of("broker:1");
        look(LITTLE);
        look(PATIENCE.minusMillis(1));
        assertThat(a.isAbsent()).isFalse();

        look(Duration.ofMillis(1));
        assertThat(a.isAbsent()).isTrue();
        assertThat(members).containsExactly("b-1");

        aDoesNotReach = List.of();
        look(LITTLE);
        assertThat(a.isAbsent()).isFalse();
    }

    @Test
    void counts_anew_once_it_has_reached_all_brokers() {
        aDoesNotReach = List.of("broker:1");
        look(LITTLE);
        aDoesNotReach = List.of();
        look(PATIENCE);
        aDoesNotReach = List.of("broker:1");
        look(LITTLE);
        look(PATIENCE.minusMillis(1));

        assertThat(a.isAbsent()).isFalse();
    }

    @Test
    void stays_as_the_last_one_that_does_not_reach_a_broker() {
        aDoesNotReach = List.of("broker:1");
        bDoesNotReach = aDoesNotReach;
        look(LITTLE);
        look(PATIENCE.plus(BETWEEN));
        assertThat(a.isAbsent()).isTrue();
        look(PATIENCE.plus(BETWEEN));
        assertThat(b.isAbsent()).isFalse();
        assertThat(members).containsExactly("b-1");
    }

    @Test
    void stays_alone() {
        members.remove("b-1");
        aDoesNotReach = List.of("broker:1");
        look(LITTLE);
        look(PATIENCE.plus(BETWEEN));

        assertThat(a.isAbsent()).isFalse();
    }

    @Test
    void comes_back_once_no_other_processor_is_left() {
        aDoesNotReach = List.of("broker:1");
        look(LITTLE);
        look(PATIENCE);
        assertThat(a.isAbsent()).isTrue();
        members.clear();
        look(LITTLE);

        assertThat(a.isAbsent()).isFalse();
    }
}
