package io.floodgate.worker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker says that is not given a cluster. */
final class ConnectingTest {
    @TempDir
    Path directory;

    @Test
    void without_brokers_it_says_what_is_missing() {
        for (Map<String, Object> kafka : List.<Map<String, Object>>of(
                Map.of(), Map.of("bootstrap.servers", " "), Map.of("bootstrap.servers", List.of())))
            assertThatThrownBy(() -> Worker.kafka(kafka))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bootstrap.servers");
    }

    @Test
    void a_namespace_that_none_can_have_is_rejected_at_once() {
        assertThatThrownBy(() -> Worker.kafka(Map.of("bootstrap.servers", "localhost:1"), "No Name"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No Name");
    }

    @Test
    void a_cluster_that_is_not_there_is_named_and_the_journal_stays_free() throws Exception {
        int port;
        try (ServerSocket none = new ServerSocket(0)) {
            port = none.getLocalPort();
        }
        WorkerBuilder worker = Worker.kafka(Map.of("bootstrap.servers", "localhost:" + port))
                .connectWithin(Duration.ofMillis(300))
                .journal(directory)
                .handle("a", context -> null);

        for (int start = 0; start < 2; start++)
            assertThatThrownBy(worker::start)
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("No Kafka broker has answered within 0.3 s: localhost:" + port);
    }
}
