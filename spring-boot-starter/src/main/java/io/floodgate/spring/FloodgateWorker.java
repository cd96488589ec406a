package io.floodgate.spring;

import io.floodgate.worker.Worker;
import io.floodgate.worker.WorkerBuilder;
import io.floodgate.worker.WorkerState;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The worker of an application: it takes jobs once all beans are there, and before they go it hands back what its handlers
 * have not finished within the grace period. Without handlers there is none.
 */
public final class FloodgateWorker implements SmartLifecycle {
    private final Function<List<HandlerMethod>, WorkerBuilder> builder;
    private final Supplier<List<HandlerMethod>> handlers;
    private final ScheduleRegistration schedules;
    private volatile @Nullable Worker worker;

    FloodgateWorker(
            Function<List<HandlerMethod>, WorkerBuilder> builder,
            Supplier<List<HandlerMethod>> handlers,
            ScheduleRegistration schedules) {
        this.builder = builder;
        this.handlers = handlers;
        this.schedules = schedules;
    }

    /** Returns the worker; empty while it does not run. */
    public Optional<Worker> worker() {
        return Optional.ofNullable(worker);
    }

    @Override
    public void start() {
        List<HandlerMethod> methods = handlers.get();
        if (!methods.isEmpty()) {
            WorkerBuilder with = builder.apply(methods);
            for (HandlerMethod each : methods) {
                with.handle(each.type(), each);
                if (each.handler().versions().length > 0)
                    with.versions(each.type(), each.handler().versions());
            }
            worker = with.start();
        }
        schedules.begin(methods);
    }

    @Override
    public void stop() {
        schedules.close();
        Worker running = worker;
        if (running != null) running.close();
        worker = null;
    }

    @Override
    public void stop(Runnable ended) {
        Thread.ofVirtual().name("floodgate-stop").start(() -> {
            try {
                stop();
            } finally {
                ended.run();
            }
        });
    }

    @Override
    public boolean isRunning() {
        return worker != null;
    }

    /** Returns whether it takes jobs, or has none to take. */
    boolean isWell() {
        Worker running = worker;
        return running == null || running.state() == WorkerState.RUNNING;
    }
}
