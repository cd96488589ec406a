package io.floodgate.worker;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.JobCommand;
import io.floodgate.topics.command.JobCommand.Claimant;
import io.floodgate.topics.command.JobCommand.Progress;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Runs handlers in the thread of its caller, one job at a time, within their middleware and after their codecs: for tests,
 * which get it from {@code floodgate-testing}. It asks for no jobs, has no time-outs, and drops the events of handlers.
 */
public final class DirectWorker {
    private static final WorkerClock NO_ALARMS = new WorkerClock() {
        @Override
        public Alarm after(Duration delay, Runnable ring) {
            return () -> {};
        }

        @Override
        public Duration now() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    };

    private final WorkerBuilder builder;
    private final Function<JobCommand, Reply> server;
    private @Nullable DomainEvents events;

    /** @param server gets the outcomes and the progress of jobs */
    public DirectWorker(WorkerBuilder builder, Function<JobCommand, Reply> server) {
        this.builder = builder;
        this.server = server;
    }

    /** Begins a worker that has handlers, but no server to connect to. */
    public static WorkerBuilder builder() {
        return new WorkerBuilder(() -> {
            throw new IllegalStateException("This worker only has handlers for a test, which runs them itself.");
        });
    }

    /** Returns the arguments of a job as they were before its producer has encoded them, if it has. */
    public static JsonNode args(JsonNode job, CodecChain codecs) {
        return LeasedJob.args(job, codecs);
    }

    /** Returns the types of jobs that it has handlers for. */
    public List<String> types() {
        return builder.types();
    }

    /** Returns the jobs to be fetched for it, in one fetch after the other until one has brought a job. */
    public List<WantedJobs> wanted() {
        return builder.wanted();
    }

    /**
     * Runs the handler of a job and reports the outcome.
     *
     * @param fetched the job as a fetch without the name of a worker has returned it
     * @return the failure of the handler; null if it has succeeded
     */
    public @Nullable Throwable run(byte[] fetched) {
        LeasedJob job = LeasedJob.read(fetched);
        JobHandler handler = builder.handler(job.type());
        if (handler == null)
            throw new IllegalStateException("There is no handler for jobs of type '%s'.".formatted(job.type()));
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        JobHandler observed = context -> {
            try {
                return handler.handle(context);
            } catch (Throwable failure) {
                thrown.set(failure);
                throw failure;
            }
        };
        if (events == null) events = builder.nowhere();
        Course course = new Course();
        new Run(
                        job,
                        builder.handling(outputs -> observed, events, null),
                        course,
                        NO_ALARMS,
                        Thread.ofVirtual().factory())
                .work();
        Throwable failure = thrown.get();
        return failure == null && course.outcome instanceof RunOutcome.Failed failed
                ? new IllegalStateException(failed.error().message())
                : failure;
    }

    /** Reports at once. */
    private final class Course implements Run.Course {
        private @Nullable RunOutcome outcome;

        @Override
        public void begins(Run run) {}

        @Override
        public CompletableFuture<Reply> says(Run run, ProgressReport report) {
            return CompletableFuture.completedFuture(
                    server.apply(new Progress(run.job().id(), claimant(run), report)));
        }

        @Override
        public void handlerEnded(Run run) {}

        @Override
        public CompletableFuture<@Nullable Rejection> decided(Run run, RunOutcome found) {
            outcome = found;
            JobCommand command = Reporter.command(run.job().id(), claimant(run), found);
            Reply reply = command == null ? null : server.apply(command);
            return CompletableFuture.completedFuture(
                    reply instanceof Reply.Rejected rejected ? rejected.rejection() : null);
        }

        @Override
        public void over(Run run) {}

        private Claimant claimant(Run run) {
            return new Claimant(null, run.job().lease());
        }
    }
}
