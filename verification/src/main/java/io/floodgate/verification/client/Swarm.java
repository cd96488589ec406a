package io.floodgate.verification.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many at the same thing; the first failure ends all. */
public final class Swarm {
    /** What one of them does. */
    @FunctionalInterface
    public interface Task {
        void run(int number) throws Exception;
    }

    private Swarm() {}

    /** Returns when all are done. */
    public static void run(int size, Task task) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    task.run(number);
                    return number;
                }));
            }
            for (Future<?> each : all) {
                var unused = each.get();
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
