package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogIdTest {
    @Test
    void is_read_as_it_was_written() {
        LogId log = new LogId("ojs.queue.email", 17);
        assertThat(log).hasToString("ojs.queue.email/17");
        assertThat(LogId.parse("ojs.queue.email/17")).isEqualTo(log);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/1",
                "ojs.commands",
                "ojs.commands/",
                "ojs.commands/x",
                "ojs.commands/-1",
                "ojs.commands/99999999999"
            })
    void anything_else_is_no_log(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> LogId.parse(text));
    }

    @Test
    void is_ordered_by_topic_and_then_by_number() {
        LogId a2 = new LogId("a", 2);
        LogId a10 = new LogId("a", 10);
        LogId b1 = new LogId("b", 1);
        assertThat(List.of(b1, a10, a2).stream().sorted()).containsExactly(a2, a10, b1);
    }
}
