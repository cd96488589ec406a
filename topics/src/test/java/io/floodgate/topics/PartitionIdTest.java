package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionIdTest {
    @Test
    void is_read_as_it_was_written() {
        PartitionId log = new PartitionId(17);
        assertThat(log).hasToString("ojs.commands/17");
        assertThat(PartitionId.parse("ojs.commands/17")).isEqualTo(log);
    }

    @ParameterizedTest
    @Table("""
        / | /1 | ojs.queue.email/17 | ojs.commands | ojs.commands/ | ojs.commands/x | ojs.commands/-1
        ojs.commands/99999999999
        """)
    @ValueSource(strings = "")
    void anything_else_is_no_log(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PartitionId.parse(text));
    }

    @Test
    void is_ordered_by_number() {
        assertThat(List.of(new PartitionId(10), new PartitionId(2)).stream().sorted())
                .containsExactly(new PartitionId(2), new PartitionId(10));
    }
}
