package io.floodgate.topics.client;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes things from threads that must not wait, and processes them on a thread of its own, in their order. Its length
 * is bounded by what is under way: callers ask for capacity before they put something here.
 */
final class Handover<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Handover.class);

    private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
    private final Consumer<T> receiver;
    private final Thread thread;
    /** True if the thread sleeps, or is about to: only then does it have to be woken. */
    private volatile boolean idle;

    private volatile boolean closed;

    Handover(String name, Consumer<T> receiver) {
        this.receiver = receiver;
        thread = Thread.ofPlatform().name(name).daemon().start(this::run);
    }

    void put(T thing) {
        queue.add(thing);
        if (idle) LockSupport.unpark(thread);
    }

    private void run() {
        while (!closed) {
            T next = queue.poll();
            if (next == null) {
                idle = true;
                // An item that was put before {@code idle} was set has woken no thread.
                if (queue.isEmpty() && !closed) LockSupport.park(this);
                idle = false;
            } else {
                receive(next);
            }
        }
    }

    private void receive(T thing) {
        try {
            receiver.accept(thing);
        } catch (RuntimeException failure) {
            LOG.error("What was handed over could not be dealt with; the next one is.", failure);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
