package io.floodgate.standalone;

import java.net.URI;
import java.nio.file.Path;

/**
 * Runs all roles and a broker in this process, on free ports of this machine: for tests of programs that use Floodgate.
 */
public final class EmbeddedFloodgate implements AutoCloseable {
    /** Few, so that it starts quickly; two, so that queues are in different ones. */
    private static final int PARTITIONS = 2;

    private final Running running;
    private final Standalone started;

    private EmbeddedFloodgate(Running running, Standalone started) {
        this.running = running;
        this.started = started;
    }

    /**
     * Returns once jobs are taken and processed.
     *
     * @param data the directory for everything that is stored; made if it is not there
     */
    public static EmbeddedFloodgate start(Path data) throws InterruptedException {
        Running running = new Running();
        try {
            return new EmbeddedFloodgate(
                    running, Standalone.start(StandaloneConfig.in(data).withPartitions(PARTITIONS), running));
        } catch (InterruptedException | RuntimeException | Error failed) {
            running.close();
            throw failed;
        }
    }

    /** Returns the address of the HTTP API, without a path. */
    public URI http() {
        return URI.create("http://127.0.0.1:" + started.port());
    }

    /** Returns what Kafka clients take as {@code bootstrap.servers}. */
    public String bootstrap() {
        return started.bootstrap();
    }

    @Override
    public void close() {
        running.close();
    }
}
