package io.floodgate.worker.example;

import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobFailure;
import io.floodgate.worker.WorkerBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handlers that only say what they would do. */
final class DemoHandlers {
    static final String EMAIL = "email.send";
    static final String GREETING = "demo.greeting";
    static final String FLAKY = "demo.flaky";
    static final String BROKEN = "demo.broken";

    private static final Logger LOG = LoggerFactory.getLogger(DemoHandlers.class);

    private DemoHandlers() {}

    static WorkerBuilder addTo(WorkerBuilder worker) {
        return worker.handle(EMAIL, DemoHandlers::say)
                .handle(GREETING, DemoHandlers::say)
                .handle(FLAKY, DemoHandlers::flaky)
                .handle(BROKEN, DemoHandlers::broken);
    }

    private static Object say(JobContext context) {
        LOG.info("{} {} {}", context.job().id(), context.job().type(), context.args());
        return Map.of("handled_by", context.worker());
    }

    /** Fails at the first attempt, to show a retry. */
    private static Object flaky(JobContext context) throws JobFailure {
        if (context.job().attempt() <= 1) throw JobFailure.of("DemoFailure", "The first attempt fails on purpose.");
        return say(context);
    }

    /** Fails for good, to show a dead letter. */
    private static @Nullable Object broken(JobContext context) throws JobFailure {
        throw JobFailure.permanent(
                "DemoFailure",
                "Job %s fails on purpose.".formatted(context.job().id()));
    }
}
