package io.floodgate.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of this process that run, in the order they were started; they are stopped in the opposite order, when the
 * process is asked to end (SIGINT, SIGTERM) or when not all could be started.
 */
final class Running implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Running.class);

    private record Part(String name, AutoCloseable part) {}

    private final Deque<Part> parts = new ArrayDeque<>();
    private boolean ended;

    static Running untilTheProcessEnds() {
        var running = new Running();
        Runtime.getRuntime().addShutdownHook(new Thread(running::close, "stop"));
        return running;
    }

    synchronized <T extends AutoCloseable> T add(String name, T part) {
        parts.push(new Part(name, part));
        if (ended) {
            close();
        }
        return part;
    }

    /** Leaves this thread nothing to do: the process ends from outside. */
    void await() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public synchronized void close() {
        ended = true;
        while (!parts.isEmpty()) {
            stop(parts.pop());
        }
    }

    private static void stop(Part part) {
        try {
            part.part().close();
            LOG.info("Stopped the {}.", part.name());
        } catch (Exception e) {
            LOG.warn("Stopping the {} failed; the others are stopped all the same.", part.name(), e);
        }
    }
}
