package io.floodgate.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 3, 6, 12, 4_095, 8_192, Integer.MIN_VALUE})
    void wants_a_power_of_two_up_to_the_number_of_slots(int partitions) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Routing(partitions));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 64, 4_096})
    void a_job_of_ours_is_in_the_log_of_its_queue(int partitions) {
        Routing routing = new Routing(partitions);
        for (int i = 0; i < 200; i++) {
            String queue = "queue-" + i;
            JobId id = JobId.make(Slot.of(queue), 1_770_000_000_000L + i, i * 0x9E3779B97F4A7C15L);
            assertThat(routing.ofJob(id)).isEqualTo(routing.ofQueue(queue));
        }
    }

    @Test
    void a_queue_is_in_the_log_that_a_plain_producer_would_pick() {
        Routing routing = new Routing(64);
        int picked = BuiltInPartitioner.partitionForKey("email".getBytes(StandardCharsets.UTF_8), 64);
        assertThat(routing.ofQueue("email")).isEqualTo(new PartitionId(picked));
    }

    @Test
    void a_worker_and_a_queue_of_the_same_name_are_different_keys() {
        assertThat(new Routing(4_096).ofWorker("email")).isNotEqualTo(new Routing(4_096).ofQueue("email"));
    }

    @Test
    void there_are_as_many_logs_as_partitions() {
        assertThat(new Routing(4).logs())
                .containsExactly(new PartitionId(0), new PartitionId(1), new PartitionId(2), new PartitionId(3));
    }
}
