package io.floodgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

/** The image, as {@code docker build -t floodgate .} makes it. Skipped where there is no Docker, or none was named. */
@Tag("server")
final class FloodgateContainerTest {
    private static final String IMAGE = System.getProperty("floodgate.image", "");

    @Test
    void takes_a_job_over_http() {
        assumeThat(IMAGE).as("-Dfloodgate.image names an image").isNotEmpty();
        assumeThat(DockerClientFactory.instance().isDockerAvailable())
                .as("Docker is available")
                .isTrue();

        try (var container = new FloodgateContainer(IMAGE)) {
            container.start();
            var api = new TestApi(container.http());

            String id = api.enqueue("email", java.util.Map.of("type", "email.send", "args", java.util.List.of()));

            assertThat(api.job(id).path("state").asString()).isEqualTo("available");
        }
    }
}
