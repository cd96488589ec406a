package io.floodgate.standalone;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/** What is made on a thread of its own, while this one makes something else. */
final class Beside<T> {
    private final FutureTask<T> task;

    private Beside(FutureTask<T> task) {
        this.task = task;
    }

    static <T> Beside<T> begin(String thread, Supplier<T> maker) {
        FutureTask<T> task = new FutureTask<>(maker::get);
        Thread.ofPlatform().name(thread).daemon().start(task);
        return new Beside<>(task);
    }

    /** Waits for it; throws what its maker has thrown. */
    T get() throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) throw error;
            if (failed.getCause() instanceof RuntimeException exception) throw exception;
            throw new IllegalStateException(failed.getCause());
        }
    }
}
