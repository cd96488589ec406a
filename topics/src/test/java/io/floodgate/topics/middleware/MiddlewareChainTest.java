package io.floodgate.topics.middleware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MiddlewareChainTest {
    private final MiddlewareChain<String> chain = new MiddlewareChain<String>().add("b", "B");

    @Test
    void keeps_the_order_in_which_it_was_put_together() {
        chain.add("d", "D").prepend("a", "A").insertBefore("d", "c", "C").insertAfter("d", "e", "E");

        assertThat(chain.names()).containsExactly("a", "b", "c", "d", "e");
        assertThat(chain.all()).containsExactly("A", "B", "C", "D", "E");
    }

    @Test
    void forgets_what_is_removed_and_does_not_change_what_was_taken_from_it() {
        List<String> before = chain.all();

        assertThat(chain.remove("b").all()).isEmpty();
        assertThat(before).containsExactly("B");
    }

    @Test
    void has_each_name_once_and_says_which_there_are() {
        assertThatThrownBy(() -> chain.add("b", "again")).hasMessageContaining("'b' already");
        assertThatThrownBy(() -> chain.insertAfter("x", "c", "C")).hasMessageContaining("only [b]");
        assertThatThrownBy(() -> chain.remove("x")).isInstanceOf(IllegalArgumentException.class);
    }
}
