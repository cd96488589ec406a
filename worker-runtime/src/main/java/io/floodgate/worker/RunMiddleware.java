package io.floodgate.worker;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Wraps the handlers of a worker (OJS middleware §4). Used by many threads. */
@FunctionalInterface
public interface RunMiddleware {
    /**
     * @param next the middleware within this one, or the handler: to be called once, or not at all
     * @return the result of the job. What it throws is the failure of the run, as if the handler had thrown it
     */
    @Nullable
    Object run(JobContext context, JobHandler next) throws Exception;

    /** The handler within this chain, whose first one is the outermost. */
    static JobHandler around(JobHandler handler, List<RunMiddleware> chain) {
        JobHandler wrapped = handler;
        for (RunMiddleware middleware : chain.reversed()) {
            JobHandler next = wrapped;
            wrapped = context -> middleware.run(context, once(next));
        }
        return wrapped;
    }

    private static JobHandler once(JobHandler next) {
        AtomicBoolean called = new AtomicBoolean();
        return context -> {
            if (called.getAndSet(true)) throw new IllegalStateException("middleware has called its next one twice");
            return next.handle(context);
        };
    }
}
