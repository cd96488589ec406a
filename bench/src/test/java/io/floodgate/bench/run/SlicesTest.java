package io.floodgate.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.bench.load.Errors;
import io.floodgate.bench.load.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SlicesTest {
    private final List<Measurement> found = new ArrayList<>();
    private final Errors errors = new Errors();
    private final Slices slices = new Slices("work", "how", 10, OptionalLong.empty(), errors, found::add);

    @Test
    void each_slice_is_reported_when_it_is_done_and_the_rest_in_the_end() {
        for (int i = 0; i < 5; i++) slices.done(System.nanoTime(), 5);
        assertThat(found).extracting(Measurement::name).containsExactly("work 0-10", "work 10-20");
        slices.end();
        assertThat(found).extracting(Measurement::units).containsExactly(10L, 10L, 5L);
    }

    @Test
    void errors_are_reported_even_when_nothing_is_left() {
        slices.done(System.nanoTime(), 10);
        errors.add("missing", "one is missing", 1);
        slices.end();
        assertThat(found).hasSize(2);
        assertThat(found.getLast().errors().count()).isEqualTo(1);
    }

    @Test
    void the_memory_of_a_process_is_what_the_system_says() {
        Measurement shown = sliceWithMemoryOf(ProcessHandle.current().pid());
        assertThat(shown.how()).matches("how; server memory afterwards: (\\d+ kB|unknown.*)");
    }

    private static Measurement sliceWithMemoryOf(long pid) {
        List<Measurement> told = new ArrayList<>();
        Slices watched = new Slices("work", "how", 1, OptionalLong.of(pid), new Errors(), told::add);
        watched.done(System.nanoTime(), 1);
        return told.getFirst();
    }
}
