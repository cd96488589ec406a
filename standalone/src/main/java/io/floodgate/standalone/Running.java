package io.floodgate.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of this process that run, in the order they were started; they are stopped in the opposite order. */
public final class Running implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Running.class);

    private record Part(String name, AutoCloseable part) {}

    private final Deque<Part> parts = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(String name, T part) {
        parts.push(new Part(name, part));
        return part;
    }

    /** Lets everything run until the process is asked to end (SIGINT, SIGTERM), then stops it part by part. */
    public void untilStopped() throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "stop"));
        new CountDownLatch(1).await();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            var last = parts.pop();
            try {
                last.part().close();
                LOG.info("Stopped the {}.", last.name());
            } catch (Exception e) {
                LOG.error("Stopping the {} failed; the others are stopped all the same.", last.name(), e);
            }
        }
    }
}
