package io.floodgate.worker;

import io.floodgate.topics.JobId;
import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.Heartbeats;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.command.WorkerCommand.Beat;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a sign of life at every interval and prolongs the leases of all runs. A run whose lease has ended, or whose job was
 * cancelled, is ended. A partition that does not answer says nothing: the leases may well have been prolonged.
 */
final class HeartbeatLoop {
    /** After one that failed: a partition that is back waits for a sign of life. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLoop.class);

    private final WorkerConfig config;
    private final Supplier<List<String>> queues;
    private final Heartbeats heartbeats;
    private final Runs runs;
    private final WorkerClock alarms;
    private final Supplier<String> state;
    private final Consumer<String> directed;
    private final Runnable beforeEach;
    private volatile boolean stopped;

    HeartbeatLoop(
            WorkerConfig config,
            Supplier<List<String>> queues,
            Heartbeats heartbeats,
            Runs runs,
            WorkerClock alarms,
            Supplier<String> state,
            Consumer<String> directed,
            Runnable beforeEach) {
        this.config = config;
        this.queues = queues;
        this.heartbeats = heartbeats;
        this.runs = runs;
        this.alarms = alarms;
        this.state = state;
        this.directed = directed;
        this.beforeEach = beforeEach;
    }

    /** The first heartbeat goes out at once: it registers the worker. */
    @SuppressWarnings("CatchingUnchecked") // a thread that cannot be started now may be later
    void start() {
        try {
            Thread.ofVirtual().name("floodgate-heartbeat").start(this::beatAndGoOn);
        } catch (Throwable failure) {
            goOn(soon());
        }
    }

    // A worker that claims must beat, whatever one heartbeat has come upon.
    @SuppressWarnings("CatchingUnchecked")
    private void beatAndGoOn() {
        if (stopped) return;
        Duration next = soon();
        try {
            beforeEach.run();
            beat();
            next = config.heartbeat();
        } catch (CommandFailed | RejectedException | RuntimeException failure) {
            LOG.warn(
                    "A heartbeat of {} failed ({}); the next one is due in {}.", config.id(), failure.toString(), next);
        } catch (Throwable failure) {
            LOG.error(
                    "A heartbeat of {} failed ({}); the next one is due in {}.", config.id(), failure.toString(), next);
        } finally {
            goOn(next);
        }
    }

    private void goOn(Duration next) {
        if (!stopped) alarms.after(next, this::start);
    }

    private Duration soon() {
        return config.heartbeat().compareTo(SOON) < 0 ? config.heartbeat() : SOON;
    }

    void stop() {
        stopped = true;
    }

    private void beat() throws CommandFailed, RejectedException {
        List<Run> asked = runs.withLease();
        List<JobId> ids = asked.stream().map(run -> run.job().id()).distinct().toList();
        Heartbeats.Outcome outcome =
                heartbeats.beat(new Beat(config.id(), about(asked.size())), ids, config.visibility(), true);
        end(asked, outcome);
        directed.accept(outcome.state());
    }

    private static void end(List<Run> asked, Heartbeats.Outcome outcome) {
        Set<String> lost = new HashSet<>(outcome.lost());
        Set<String> cancelled = new HashSet<>(outcome.cancelled());
        for (Run run : asked) {
            String id = run.job().id().toString();
            // A run that ended meanwhile keeps its outcome.
            if (!run.isLive() || !lost.contains(id)) continue;
            boolean wasCancelled = cancelled.contains(id);
            LOG.warn(
                    "Job {}: {}; its handler is interrupted.",
                    id,
                    wasCancelled ? "it was cancelled" : "lease " + run.job().lease() + " has ended");
            run.end(wasCancelled ? new RunOutcome.Cancelled() : new RunOutcome.LeaseLost());
        }
    }

    private byte[] about(int active) {
        return JsonOut.object()
                .field("hostname", Host.NAME)
                .field("pid", ProcessHandle.current().pid())
                .field("queues", queues.get())
                .field("concurrency", config.concurrency())
                .field("state", state.get())
                .field("active_jobs", active)
                .endObject()
                .toBytes();
    }
}
