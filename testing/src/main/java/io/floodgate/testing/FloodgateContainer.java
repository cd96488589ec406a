package io.floodgate.testing;

import java.net.URI;
import java.time.Duration;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * Runs all roles in a container, for tests of producers and workers that use HTTP. Kafka is not reached from outside of
 * it: for workers on Kafka take {@link FloodgateExtension}.
 */
public final class FloodgateContainer extends GenericContainer<FloodgateContainer> {
    private static final int PORT = 8080;

    /** @param image such as {@code floodgate:0.1.0} */
    public FloodgateContainer(String image) {
        super(DockerImageName.parse(image));
        withCommand("up", "--test-mode");
        withExposedPorts(PORT);
        waitingFor(Wait.forHttp("/ready").forPort(PORT).withStartupTimeout(Duration.ofMinutes(2)));
    }

    /** Returns the address of the HTTP API, without a path. */
    public URI http() {
        return URI.create("http://%s:%d".formatted(getHost(), getMappedPort(PORT)));
    }
}
