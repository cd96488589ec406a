package io.floodgate.processor.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.floodgate.processor.testing.Golden;
import io.floodgate.topics.PartitionId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredWorkerTest {
    private static final Instant TIME = Instant.parse("2026-01-01T12:00:00.123Z");

    @Test
    void a_worker_that_beats() {
        WorkerRecord worker = WorkerRecord.at(TIME)
                .alsoIn(TIME.plusSeconds(1), new PartitionId(3))
                .alsoIn(TIME.plusSeconds(1), new PartitionId(0))
                .beating(TIME.plusSeconds(2), "{\"pid\":7}".getBytes(UTF_8));
        Golden.matches("worker-beating-v1", WorkerRecord.STORED.write(worker));
        assertThat(WorkerRecord.STORED.read(Golden.read("worker-beating-v1")))
                .usingRecursiveComparison()
                .isEqualTo(worker);
    }

    @Test
    void a_worker_that_is_lost() {
        WorkerRecord worker = WorkerRecord.at(TIME).gone(TIME.plusSeconds(9), true);
        Golden.matches("worker-lost-v1", WorkerRecord.STORED.write(worker));
        assertThat(WorkerRecord.STORED.read(Golden.read("worker-lost-v1")))
                .usingRecursiveComparison()
                .isEqualTo(worker);
    }

    @Test
    void a_version_of_the_future_is_not_guessed_at() {
        assertThatThrownBy(() -> WorkerRecord.STORED.read(new byte[] {5})).hasMessageContaining("version 5");
    }
}
