package io.floodgate.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Several threads at one task; the first failure ends all. */
final class Crew {
    @FunctionalInterface
    interface Task {
        void run(int caller) throws Exception;
    }

    private Crew() {}

    static void work(int size, Task task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int caller = i;
                all.add(threads.submit(() -> {
                    task.run(caller);
                    return caller;
                }));
            }
            for (Future<?> each : all) {
                var unused = each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            threads.shutdownNow();
        }
    }
}
