package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ServerMeterTest {
    @Test
    void what_a_process_uses_that_is_watched_is_reported() throws Exception {
        assertThat(idle(OptionalLong.of(ProcessHandle.current().pid())).server())
                .hasValueSatisfying(use -> assertThat(use.cpuSeconds()).isNotNegative());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void its_threads_take_turns() throws Exception {
        assertThat(idle(OptionalLong.of(ProcessHandle.current().pid())).server())
                .hasValueSatisfying(use -> assertThat(use.switches()).isPositive());
    }

    @Test
    void nothing_is_said_of_a_process_that_is_not_watched_or_not_there() throws Exception {
        assertThat(idle(OptionalLong.empty()).server()).isEmpty();
        assertThat(idle(OptionalLong.of(Long.MAX_VALUE)).server()).isEmpty();
    }

    private static Measurement idle(OptionalLong pid) throws Exception {
        return new Load(new Plan(Duration.ZERO, Duration.ofMillis(20), 1, 100), pid)
                .onVirtualThreads("idle", "", "calls", caller -> due -> 1);
    }
}
