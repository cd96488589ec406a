package io.floodgate.worker;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.ErrorReport;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.ProgressReport;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One handling of one job, on a thread of its own. Several things may end it: the handler, its time-out, the loss of the
 * lease, the closing of the worker. The first decides and is reported; the handler is interrupted when it was not the
 * handler. Its permit becomes free when the handler has returned, however late, and before the outcome is reported.
 */
final class Run implements JobContext {
    private static final Duration LATER = Duration.ofSeconds(1);
    private static final RunOutcome CLOSED_FOR_GOOD =
            new RunOutcome.Failed(JobFailure.permanent("worker_closed", "The worker closed before the handler ended.")
                    .report());

    /** Those who must know how far a run has come. */
    interface Course {
        /** The handler begins now, or never. */
        void begins(Run run);

        /** The handler says how far it has come. */
        CompletableFuture<Reply> says(Run run, ProgressReport report);

        /** The handler has returned, or will never be called. */
        void handlerEnded(Run run);

        /** @return ends once there is nothing left to report, with the rejection, if it was one */
        CompletableFuture<@Nullable Rejection> decided(Run run, RunOutcome outcome);

        /** Both. */
        void over(Run run);
    }

    private volatile LeasedJob job;
    private final Handling handling;
    private final Course course;
    private final WorkerClock alarms;
    private final AtomicReference<@Nullable RunOutcome> outcome = new AtomicReference<>();
    private final CompletableFuture<Void> reported = new CompletableFuture<>();
    private final CompletableFuture<Void> handlerEnded = new CompletableFuture<>();
    private final ProgressReports progress;
    private final Thread thread;
    private final Duration claimed;
    /** While the closing worker decides what becomes of the job, its handler does not begin. */
    private final ReentrantLock beginning = new ReentrantLock();

    private volatile boolean begun;
    /** What the handler has produced may have been committed: only its own thread knows the outcome. */
    private boolean settling;

    private volatile byte @Nullable [] savedState;
    private volatile Consumer<Boolean> whenReported = accepted -> {};
    private volatile RunSpans spans = RunSpans.NONE;

    Run(LeasedJob job, Handling handling, Course course, WorkerClock alarms, ThreadFactory threads) {
        this.job = job;
        this.handling = handling;
        this.course = course;
        this.alarms = alarms;
        claimed = alarms.now();
        progress = new ProgressReports(report -> course.says(this, report));
        thread = threads.newThread(this::work);
        var unused = CompletableFuture.allOf(reported, handlerEnded).thenRun(() -> course.over(this));
    }

    /** Lets the handler begin; gives the job back untried if that cannot be. */
    @SuppressWarnings("CatchingUnchecked") // whatever a thread that cannot be started throws, its job must go back
    void start() {
        try {
            thread.start();
        } catch (Throwable failure) {
            course.begins(this);
            handlerEnds(RunOutcome.GivenBack.notStarted(failure));
        }
    }

    /** Runs the handler in this thread. */
    void work() {
        RunOutcome found = null;
        try {
            course.begins(this);
            if (mayBegin()) found = handle();
        } finally {
            // An interrupt that came for the handler must not reach the report.
            Thread.interrupted();
            handlerEnds(found == null ? new RunOutcome.Failed(handling.killed()) : found);
        }
    }

    private boolean mayBegin() {
        beginning.lock();
        try {
            begun = isLive();
            return begun;
        } finally {
            beginning.unlock();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // without a time-out no handler begins, and its job must go back
    private RunOutcome handle() {
        Duration limit = job.timeout() == null ? handling.timeout() : job.timeout();
        WorkerClock.Alarm alarm;
        try {
            alarm = alarms.after(limit, () -> timeOutOnAThread(limit));
        } catch (Throwable failure) {
            return RunOutcome.GivenBack.notStarted(failure);
        }
        spans = RunSpans.begin(handling.tracing(), job, handling.worker());
        try (Scope ignored = spans.context().makeCurrent()) {
            return handling.outcomeOf(this);
        } finally {
            alarm.cancel();
        }
    }

    /** For its handler. What decides about the run is not encoded. */
    void decode(CodecChain codecs) {
        job = job.decoded(codecs);
    }

    private void handlerEnds(RunOutcome found) {
        course.handlerEnded(this);
        if (!decide(found)) whenReported.accept(false);
        handlerEnded.complete(null);
    }

    /** Ends the run from outside, unless it has ended already. */
    void end(RunOutcome other) {
        if (decide(other)) thread.interrupt();
    }

    /** The worker closes: a job whose handler has begun and that must not run twice is not given back. */
    void close() {
        RunOutcome closed;
        beginning.lock();
        try {
            closed = settling ? new RunOutcome.LeaseLost() : unfinished(begun);
            if (!outcome.compareAndSet(null, closed)) return;
        } finally {
            beginning.unlock();
        }
        report(closed);
        thread.interrupt();
    }

    private RunOutcome unfinished(boolean begun) {
        return job.discardedOnWorkerLost() && begun ? CLOSED_FOR_GOOD : RunOutcome.GivenBack.CLOSED;
    }

    @Override
    public LeasedJob job() {
        return job;
    }

    @Override
    public String worker() {
        return handling.worker();
    }

    @Override
    public boolean isLive() {
        return outcome.get() == null;
    }

    @Override
    public boolean isCancelled() {
        return outcome.get() instanceof RunOutcome.Cancelled;
    }

    @Override
    public boolean emit(String type, @Nullable Object data) {
        return handling.events().emit(this, type, data);
    }

    @Override
    public void progress(double share, @Nullable String message) {
        if (Double.isNaN(share)) throw new IllegalArgumentException("The share of the work that is done is no number.");
        String cut = message == null ? null : Limits.cut(message, ProgressReport.MESSAGE_CHARS);
        say(new ProgressReport(share, cut, null, null));
    }

    @Override
    public void checkpoint(Object state) {
        byte[] json = Json.MAPPER.writeValueAsBytes(state);
        if (json.length > ProgressReport.MAX_BYTES)
            throw new IllegalArgumentException("A checkpoint has at most %d bytes; this one has %d."
                    .formatted(ProgressReport.MAX_BYTES, json.length));
        savedState = json;
        say(ProgressReport.checkpoint(json, null));
    }

    private void say(ProgressReport report) {
        if (isLive()) progress.say(report);
    }

    /** Returns the checkpoint from which the next attempt is to go on; null if there is none. */
    byte @Nullable [] state() {
        byte[] state = savedState;
        if (state != null) return state;
        return lastCheckpoint().map(Json.MAPPER::writeValueAsBytes).orElse(null);
    }

    /** Asks the partition to keep a checkpoint, after which the handler sends none. */
    CompletableFuture<Reply> keepLast(ProgressReport report) {
        progress.close();
        return course.says(this, report);
    }

    /**
     * From now on the run does not time out, and a closing worker leaves the job to its lease: what may be committed must not be
     * reported as failed.
     *
     * @return false if the run has ended
     */
    boolean beginSettling() {
        beginning.lock();
        try {
            settling = isLive();
            return settling;
        } finally {
            beginning.unlock();
        }
    }

    /** Nothing was committed. */
    void endSettling() {
        beginning.lock();
        try {
            settling = false;
        } finally {
            beginning.unlock();
        }
    }

    /** @param heard whether the success of this run was accepted; it may be called again with no */
    void whenReported(Consumer<Boolean> heard) {
        whenReported = heard;
    }

    /** Whether its lease still matters: the handler runs, or the partition has not answered what became of it. */
    boolean needsLease() {
        return !reported.isDone();
    }

    /** How long it has waited for its handler to begin; nothing once that has begun. */
    Duration starving() {
        return begun || !isLive() ? Duration.ZERO : alarms.now().minus(claimed);
    }

    /** From the claim to now. */
    Duration age() {
        return alarms.now().minus(claimed);
    }

    @SuppressWarnings("CatchingUnchecked") // a thread that cannot be started now may be later
    private void timeOutOnAThread(Duration limit) {
        try {
            Thread.startVirtualThread(() -> timeOut(limit));
        } catch (Throwable failure) {
            alarms.after(LATER, () -> timeOutOnAThread(limit));
        }
    }

    private void timeOut(Duration limit) {
        String message = "The handler did not finish within %d ms.".formatted(limit.toMillis());
        RunOutcome timedOut = new RunOutcome.Failed(ErrorReport.of("timeout", message));
        beginning.lock();
        try {
            if (settling && isLive()) {
                var unused = alarms.after(LATER, () -> timeOutOnAThread(limit));
                return;
            }
            if (!outcome.compareAndSet(null, timedOut)) return;
        } finally {
            beginning.unlock();
        }
        report(timedOut);
        thread.interrupt();
    }

    private boolean decide(RunOutcome found) {
        if (!outcome.compareAndSet(null, found)) return false;
        report(found);
        return true;
    }

    RunSpans spans() {
        return spans;
    }

    private void report(RunOutcome found) {
        spans.ended(found);
        boolean begun = false;
        try {
            var unused = course.decided(this, found).whenComplete((rejection, failure) -> {
                whenReported.accept(found instanceof RunOutcome.Succeeded && rejection == null && failure == null);
                reported.complete(null);
            });
            begun = true;
        } finally {
            // A job that cannot be reported must not keep its lease for good.
            if (!begun) reported.complete(null);
            if (!begun) whenReported.accept(false);
        }
    }
}
