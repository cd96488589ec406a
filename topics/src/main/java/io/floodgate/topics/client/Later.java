package io.floodgate.topics.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Executes actions after a while, on threads of their own. */
interface Later {
    void after(Duration delay, Runnable action);

    static Later onVirtualThreads(String name) {
        Executor threads = task -> Thread.ofVirtual().name(name).start(task);
        return (delay, action) -> CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, threads)
                .execute(action);
    }
}
