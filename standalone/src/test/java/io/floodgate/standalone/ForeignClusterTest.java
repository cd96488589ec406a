package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** A Kafka as others run it: the official image, with its own defaults. Skipped where there is no Docker. */
@Tag("server")
final class ForeignClusterTest {
    @TempDir
    Path data;

    @Test
    void takes_a_job_and_hands_it_out() throws Exception {
        assumeThat(DockerClientFactory.instance().isDockerAvailable())
                .as("Docker is available")
                .isTrue();

        try (var kafka = new KafkaContainer("apache/kafka:4.4.0");
                var running = new Running()) {
            kafka.start();
            var config = StandaloneConfig.in(data);
            var http = new HttpApi(Standalone.join(kafka.getBootstrapServers(), config, running)
                    .port());

            var id = http.post("/ojs/v1/jobs", "{\"type\":\"email.send\",\"args\":[]}")
                    .text("/job/id");
            var fetched = http.post(
                            "/ojs/v1/workers/fetch",
                            "{\"queues\":[\"default\"],\"worker_id\":\"w1\",\"wait_ms\":10000}")
                    .text("/jobs/0/id");

            assertThat(fetched).isEqualTo(id);
        }
    }
}
