package io.floodgate.processor;

import io.floodgate.processor.topology.PartitionStreams;
import io.floodgate.topics.Routing;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** The processor role: owns a share of the partitions and executes what is appended to them. */
public final class Processor implements AutoCloseable {
    private final PartitionStreams streams;

    private Processor(PartitionStreams streams) {
        this.streams = streams;
    }

    /**
     * Starts in the background; the topics must be there.
     *
     * @param registry for what it counts and measures, until it is closed
     */
    public static Processor start(ProcessorConfig config, Routing routing, MeterRegistry registry) {
        return new Processor(PartitionStreams.start(config, routing, registry));
    }

    public boolean isRunning() {
        return streams.isRunning();
    }

    /** Waits until this instance reads its partitions; false when that takes too long. */
    public boolean awaitRunning(Duration patience) throws InterruptedException {
        return streams.awaitRunning(patience);
    }

    /** As JSON, for operators: whether it is ready, and what it owns. */
    public String standing() {
        return streams.standing();
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
