package io.floodgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClosingTest {
    private final List<String> closed = new ArrayList<>();
    private final Closing closing = new Closing();

    private void open(String name, boolean fails) {
        closing.add(() -> {
            closed.add(name);
            if (fails) throw new IllegalStateException(name + " is stuck");
        });
    }

    @Test
    void goes_backwards_through_all_of_it_whatever_fails() {
        open("client", false);
        open("reader", true);
        open("server", true);

        assertThatThrownBy(closing::close)
                .hasRootCauseMessage("server is stuck")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));

        assertThat(closed).containsExactly("server", "reader", "client");
        closing.close();
        assertThat(closed).hasSize(3);
    }

    @Test
    void after_a_failure_adds_to_it() {
        open("client", true);
        RuntimeException failure = new RuntimeException("the port is taken");

        closing.closeAfter(failure);

        assertThat(closed).containsExactly("client");
        assertThat(failure.getSuppressed()).hasSize(1);
    }
}
