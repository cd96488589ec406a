package io.floodgate.processor;

import io.floodgate.processor.topology.Endpoint;
import io.floodgate.processor.topology.LogStreams;
import io.floodgate.topics.Routing;
import java.time.Duration;

/** The processor role: owns a share of the logs and carries out what is appended to them. */
public final class Processor implements AutoCloseable {
    private final LogStreams streams;

    private Processor(LogStreams streams) {
        this.streams = streams;
    }

    /** Starts in the background; the topics must be there. */
    public static Processor start(ProcessorConfig config, Routing routing) {
        return new Processor(LogStreams.start(config, routing));
    }

    public boolean isRunning() {
        return streams.isRunning();
    }

    /** Waits until this instance reads its logs; false when that takes too long. */
    public boolean awaitRunning(Duration patience) throws InterruptedException {
        return streams.awaitRunning(patience);
    }

    /** What is counted and measured, as Prometheus reads it. */
    public String metrics() {
        return streams.metrics();
    }

    /** Offers {@code /health}, {@code /ready} and {@code /metrics} on a port of its own, until it is closed. */
    public Endpoint serve(String host, int port) {
        return streams.serve(host, port);
    }

    /** Deletes the commands that are processed, as happens once a minute anyway. */
    public void purge() {
        streams.purge();
    }

    @Override
    public void close() {
        streams.close();
    }
}
