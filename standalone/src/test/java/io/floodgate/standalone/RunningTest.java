package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunningTest {
    private final Running running = new Running();
    private final List<String> stopped = new ArrayList<>();

    @Test
    void stops_its_parts_in_the_opposite_order() {
        running.add("broker", () -> stopped.add("broker"));
        running.add("gateway", () -> stopped.add("gateway"));

        running.close();

        assertThat(stopped).containsExactly("gateway", "broker");
    }

    @Test
    void stops_each_part_once() {
        running.add("broker", () -> stopped.add("broker"));

        running.close();
        running.close();

        assertThat(stopped).containsExactly("broker");
    }

    @Test
    void stops_the_others_when_one_fails_to() {
        running.add("broker", () -> stopped.add("broker"));
        running.add("gateway", () -> {
            throw new IllegalStateException("the gateway fails on purpose");
        });

        running.close();

        assertThat(stopped).containsExactly("broker");
    }

    @Test
    void stops_at_once_what_was_started_too_late() {
        running.close();

        running.add("gateway", () -> stopped.add("gateway"));

        assertThat(stopped).containsExactly("gateway");
    }
}
