package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {
    private static final String SAMPLE = "019539a4-b68c-7def-8000-1a2b3c4d5e6f";

    @Test
    void is_written_as_it_was_read() {
        assertThat(JobId.parse(SAMPLE)).map(JobId::toString).contains(SAMPLE);
    }

    @Test
    void any_uuid_of_version_7_is_read() {
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            long high = (random.nextLong() & ~0xF000L) | 0x7000L;
            long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
            String text = new UUID(high, low).toString();
            assertThat(JobId.parse(text)).as(text).contains(new JobId(high, low));
        }
    }

    @ParameterizedTest
    @Table("""
        junk | 019539A4-B68C-7DEF-8000-1A2B3C4D5E6F | 019539a4-b68c-4def-8000-1a2b3c4d5e6f
        019539a4-b68c-7def-c000-1a2b3c4d5e6f | 019539a4-b68c-7def-7000-1a2b3c4d5e6f
        019539a4b68c7def80001a2b3c4d5e6f | 019539a4-b68c-7def-8000-1a2b3c4d5e6
        019539a4-b68c-7def-8000-1a2b3c4d5e6f0 | 019539a4_b68c-7def-8000-1a2b3c4d5e6f
        019539a4-b68c-7def-8000_1a2b3c4d5e6f | 019539a4-b68c-7def-8000-1a2b3c4d5e6g
        +19539a4-b68c-7def-8000-1a2b3c4d5e6f | ٠19539a4-b68c-7def-8000-1a2b3c4d5e6f
        {19539a4-b68c-7def-8000-1a2b3c4d5e6}
        """)
    @ValueSource(strings = {"", " 19539a4-b68c-7def-8000-1a2b3c4d5e6f", "019539a4-b68c-7def-8000-1a2b3c4d5e6\n"})
    void nothing_but_a_lower_case_uuid_of_version_7_is_an_id(String text) {
        assertThat(JobId.parse(text)).isEmpty();
    }

    @Test
    void made_for_a_queue_it_carries_the_slot_of_the_queue() {
        Random random = new Random(2);
        for (int i = 0; i < 1_000; i++) {
            Slot queue = Slot.of("queue-" + i);
            JobId id = JobId.make(queue, random.nextLong(0, 1L << 48), random.nextLong());
            assertThat(id.slot()).isEqualTo(queue);
            assertThat(JobId.parse(id.toString())).contains(id);
        }
    }

    @Test
    void made_at_a_time_it_begins_with_that_time() {
        long now = 1_770_000_000_123L;
        JobId id = JobId.make(Slot.of("default"), now, -1);
        assertThat(id.high() >>> 16).isEqualTo(now);
        assertThat(UUID.fromString(id.toString()).version()).isEqualTo(7);
        assertThat(UUID.fromString(id.toString()).variant()).isEqualTo(2);
    }

    @Test
    void chance_fills_the_other_46_bits() {
        Slot queue = Slot.of("default");
        assertThat(JobId.make(queue, 1, 0)).isNotEqualTo(JobId.make(queue, 1, 1));
        assertThat(JobId.make(queue, 1, 1L << 45)).isNotEqualTo(JobId.make(queue, 1, 0));
        assertThat(JobId.make(queue, 1, 1L << 46)).isEqualTo(JobId.make(queue, 1, 0));
    }

    @Test
    void is_ordered_as_its_text_is() {
        Random random = new Random(3);
        List<JobId> ids = Stream.generate(() ->
                        JobId.make(Slot.of("q" + random.nextInt(9)), random.nextLong(0, 1L << 48), random.nextLong()))
                .limit(500)
                .toList();
        assertThat(ids.stream().sorted().map(JobId::toString)).isSorted();
    }
}
