package io.floodgate.gateway.http;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Puts large answers together by turns. A virtual thread keeps its carrier until it waits for something, and there are as many
 * carriers as cores: whoever asks for many large jobs at a time would keep all of them, and small requests waiting.
 */
public final class LargeAnswers {
    /** Below that, it is done before anybody could notice. */
    private static final long LARGE = 64 * 1024;

    /** At least one core is left for everybody else, if there is more than one. */
    private static final Semaphore TURNS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() - 1), true);

    private LargeAnswers() {}

    /** @param bytes of the answer, roughly */
    public static <T> T compose(long bytes, Supplier<T> composing) {
        if (bytes < LARGE) return composing.get();
        TURNS.acquireUninterruptibly();
        try {
            return composing.get();
        } finally {
            TURNS.release();
        }
    }
}
