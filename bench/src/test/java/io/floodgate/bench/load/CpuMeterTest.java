package io.floodgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CpuMeterTest {
    @Test
    void the_cpu_time_of_a_process_that_is_watched_is_told() throws Exception {
        assertThat(idle(OptionalLong.of(ProcessHandle.current().pid())).cpuSeconds())
                .isPresent();
    }

    @Test
    void nothing_is_said_of_a_process_that_is_not_watched_or_not_there() throws Exception {
        assertThat(idle(OptionalLong.empty()).cpuSeconds()).isEmpty();
        assertThat(idle(OptionalLong.of(Long.MAX_VALUE)).cpuSeconds()).isEmpty();
    }

    private static Measurement idle(OptionalLong pid) throws Exception {
        return new Load(new Plan(Duration.ZERO, Duration.ofMillis(20), 1, 100), pid)
                .onVirtualThreads("idle", "", "calls", caller -> due -> 1);
    }
}
