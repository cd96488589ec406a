package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotTest {
    private static final List<String> KEYS = Stream.concat(
                    Stream.of("default", "email", "worker:w1", "", "ü", "队列", "a.very-long.queue.name-with-2-parts"),
                    new Random(7)
                            .ints(2_000, 1, 40)
                            .mapToObj(length -> new Random(length)
                                    .ints(length, 32, 0x3000)
                                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                                    .append(length)
                                    .toString()))
            .toList();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096})
    void gives_the_partition_that_any_kafka_client_picks_for_the_same_key(int partitions) {
        for (String key : KEYS)
            assertThat(Slot.of(key).partition(partitions))
                    .as(key)
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions));
    }

    @Test
    void number_and_tag_are_the_low_28_bits_of_the_hash() {
        for (String key : KEYS) {
            Slot slot = Slot.of(key);
            int hash = Utils.murmur2(key.getBytes(StandardCharsets.UTF_8));
            assertThat(slot.number() | slot.tag() << 12).as(key).isEqualTo(hash & 0xFFF_FFFF);
        }
    }

    @Test
    void does_not_change_between_releases() {
        assertThat(Slot.of("default")).isEqualTo(new Slot(555, 7_998));
        assertThat(Slot.of("email")).isEqualTo(new Slot(1_135, 18_081));
    }
}
