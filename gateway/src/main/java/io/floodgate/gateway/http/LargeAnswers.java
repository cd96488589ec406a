package io.floodgate.gateway.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Large answers are put together and written by turns. A virtual thread keeps its carrier until it blocks, and there
 * are as many carriers as cores. Threads that can run wait for one in order of arrival. Behind some dozens of large
 * answers, a small request would wait for all of them at each of its steps.
 */
final class LargeAnswers {
    /** Smaller answers take too little time to matter. */
    private static final long LARGE = 64 * 1024;

    /** An answer that takes longer waits for its reader: others need not. */
    private static final long LONGEST_MS = 50;

    /** Turns for large answers. At least one core is left for all other work, if there is more than one. */
    private static final Semaphore TURNS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    private static final Executor LATER =
            CompletableFuture.delayedExecutor(LONGEST_MS, TimeUnit.MILLISECONDS, Runnable::run);

    private LargeAnswers() {}

    /** The right to go on; it ends by itself after a while. */
    static final class Turn implements AutoCloseable {
        private final AtomicBoolean ended = new AtomicBoolean();

        private Turn() {}

        @Override
        public void close() {
            if (ended.compareAndSet(false, true)) TURNS.release();
        }
    }

    static boolean isLarge(long bytes) {
        return bytes >= LARGE;
    }

    /** Waits for a turn; to be closed once the answer is written. */
    static Turn turn() {
        TURNS.acquireUninterruptibly();
        Turn turn = new Turn();
        LATER.execute(turn::close);
        return turn;
    }
}
