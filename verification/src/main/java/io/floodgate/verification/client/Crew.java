package io.floodgate.verification.client;

import java.util.ArrayList;
import java.util.List;

/** Threads that do something again and again until the crew is closed. */
public final class Crew implements AutoCloseable {
    /** What one thread does again and again. */
    public interface Member extends AutoCloseable {
        void once();

        @Override
        void close();
    }

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    /** Begins at once. The member is closed at the end. */
    public void add(String name, Member member) {
        threads.add(Thread.ofPlatform().name(name).daemon().start(() -> {
            try (member) {
                while (!isClosed) member.once();
            }
        }));
    }

    /** The same, for one that has a caller of its own. */
    public void add(String name, Caller caller, Runnable once) {
        add(name, new Member() {
            @Override
            public void once() {
                once.run();
            }

            @Override
            public void close() {
                caller.close();
            }
        });
    }

    public boolean isClosed() {
        return isClosed;
    }

    /** Returns when each member has ended what it was doing. */
    @Override
    public void close() throws InterruptedException {
        isClosed = true;
        for (Thread thread : threads) thread.join();
    }
}
