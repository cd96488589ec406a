package io.floodgate.worker;

import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.command.WantedJobs;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches jobs from the claim to the outcome: a run for each job that may be run; the others go back. Every permit
 * and slot that a claim has taken is given back here, once.
 */
final class RunDispatcher implements Run.Course {
    private static final Logger LOG = LoggerFactory.getLogger(RunDispatcher.class);

    /**
     * The handlers of a worker, and their threads.
     *
     * @param taken the versions of types, and the tenants, whose jobs the worker takes
     */
    record Handlers(Map<String, Handling> byType, WantedJobs taken, ThreadFactory threads) {}

    /** Workers that handle the type have it to themselves meanwhile. */
    private static final Duration FOR_OTHER_WORKERS = Duration.ofSeconds(30);

    private final Handlers handlers;
    private final ClaimCapacity capacity;
    private final Runs runs;
    private final TypeBreakers breakers;
    private final Reporter reporter;
    private final WorkerClock alarms;
    private final WorkerMeters meters;
    private volatile boolean closing;

    RunDispatcher(
            Handlers handlers,
            ClaimCapacity capacity,
            Runs runs,
            TypeBreakers breakers,
            Reporter reporter,
            WorkerClock alarms,
            WorkerMeters meters) {
        this.handlers = handlers;
        this.capacity = capacity;
        this.runs = runs;
        this.breakers = breakers;
        this.reporter = reporter;
        this.alarms = alarms;
        this.meters = meters;
    }

    /** What a claim has brought. */
    @SuppressWarnings(
            "CatchingUnchecked") // an error says nothing of the job, and those behind it are to run all the same
    void begin(byte[] json) {
        LeasedJob job;
        try {
            job = LeasedJob.read(json);
        } catch (Throwable unreadable) {
            unreadable(json, unreadable);
            return;
        }
        Handling handling = handlers.byType().get(job.type());
        if (handling == null) giveBack(job, noHandler(job));
        else if (!breakers.tryPass(job.type())) giveBack(job, resting(job));
        else run(job, handling);
    }

    /** Stops: jobs that are claimed from now on are not run. */
    void close() {
        closing = true;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever keeps a thread from being made, its job must go back
    private void run(LeasedJob job, Handling handling) {
        Run run;
        try {
            run = new Run(job, handling, this, alarms, handlers.threads());
        } catch (Throwable failure) {
            breakers.over(job.type(), RunOutcome.GivenBack.notStarted(failure));
            giveBack(job, RunOutcome.GivenBack.notStarted(failure));
            return;
        }
        // Its lease has ended, and we were the first to be handed the job again.
        for (Run earlier : runs.of(job.id())) earlier.end(new RunOutcome.LeaseLost());
        runs.add(run);
        if (closing) run.close();
        run.start();
    }

    private RunOutcome resting(LeasedJob job) {
        String why = "Jobs of type '%s' keep failing; this worker runs none for now.".formatted(job.type());
        return new RunOutcome.GivenBack("breaker_open", why, breakers.rest(job.type()));
    }

    private static RunOutcome noHandler(LeasedJob job) {
        String why = "This worker has no handler for jobs of type '%s'.".formatted(job.type());
        return new RunOutcome.GivenBack("handler_not_found", why, FOR_OTHER_WORKERS);
    }

    private void giveBack(LeasedJob job, RunOutcome why) {
        capacity.begun();
        capacity.handlerEnded();
        var unused = report(job, why);
    }

    private void unreadable(byte[] json, Throwable why) {
        meters.unreadableJobs().increment();
        LOG.warn("A job cannot be read: {}", why.toString());
        capacity.begun();
        capacity.handlerEnded();
        capacity.decided();
        var unused = UnreadableJobs.report(json, why, reporter).thenRun(capacity::answered);
    }

    @Override
    public void begins(Run run) {
        capacity.begun();
        meters.dispatchWait().record(run.age());
    }

    @Override
    public CompletableFuture<Reply> says(Run run, ProgressReport report) {
        return reporter.say(run.job(), report);
    }

    @Override
    public void handlerEnded(Run run) {
        capacity.handlerEnded();
    }

    @Override
    public CompletableFuture<@Nullable Rejection> decided(Run run, RunOutcome outcome) {
        breakers.over(run.job().type(), outcome);
        RunSpans.Report report = run.spans().reporting(outcome);
        return report(run.job(), outcome).whenComplete((rejection, never) -> report.answered(rejection));
    }

    private CompletableFuture<@Nullable Rejection> report(LeasedJob job, RunOutcome outcome) {
        meters.outcomes(outcome).increment();
        capacity.decided();
        return reporter.report(job, outcome).whenComplete((rejection, never) -> capacity.answered());
    }

    @Override
    public void over(Run run) {
        meters.handling().record(run.age());
        runs.remove(run);
    }

    /** Warns of jobs that were claimed and whose handlers do not begin: other handlers have the processor to themselves. */
    void lookForStarvation(Duration longest) {
        Counter starved = meters.starved();
        for (Run run : runs.all()) {
            Duration waited = run.starving();
            if (waited.compareTo(longest) < 0) continue;
            starved.increment();
            LOG.warn(
                    "Job {} was claimed {} ms ago and its handler has not begun: lower the concurrency, or let handlers leave the processor to others.",
                    run.job().id(),
                    waited.toMillis());
        }
    }
}
