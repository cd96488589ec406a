package io.floodgate.worker;

import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.command.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;

/** The meters of a worker. Several workers may share a registry: each worker has its own gauges, the rest adds up. */
final class WorkerMeters implements ClaimCapacity.Watcher {
    private final MeterRegistry registry;
    private final String worker;

    WorkerMeters(MeterRegistry registry, String worker) {
        this.registry = registry;
        this.worker = worker;
    }

    void watch(Runs runs, ClaimCapacity capacity, int permits) {
        gauge("ojs.worker.running", "Jobs that were handed out and whose outcome is not answered yet", runs::size);
        gauge("ojs.worker.permits.free", "Handlers that could run in addition", capacity::free);
        gauge("ojs.worker.permits", "Handlers that may run at the same time", () -> permits);
        saturation("dispatch", capacity::dispatchSaturation);
        saturation("completion", capacity::completionSaturation);
    }

    void watch(DomainEvents events) {
        saturation("events", events::saturation);
    }

    void watch(OutcomeJournal journal) {
        saturation("journal", journal::saturation);
    }

    /** @param name {@code type:} with a type of jobs, or {@code log:} with a partition */
    void watch(CircuitBreaker breaker, String name) {
        Gauge.builder("ojs.worker.breaker.state", () -> breaker.state().level())
                .description("0 for closed, 1 for half open, 2 for open")
                .tag("worker", worker)
                .tag("breaker", name)
                .register(registry);
    }

    private void saturation(String channel, Supplier<Number> share) {
        Gauge.builder("ojs.worker.channel.saturation", share)
                .description("How full a buffer is, from 0 to 1")
                .tag("worker", worker)
                .tag("channel", channel)
                .register(registry);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value)
                .description(description)
                .tag("worker", worker)
                .register(registry);
    }

    /** Returns the counter of each time that something kept the worker from claiming. */
    Counter claimRejections(String reason) {
        return Counter.builder("ojs.worker.claim.rejections")
                .description("Claims that had to wait, by what was missing")
                .tag("reason", reason)
                .register(registry);
    }

    @Override
    public void rejected(ClaimCapacity.Obstacle obstacle) {
        claimRejections(obstacle.label()).increment();
    }

    @Override
    public void claimed(Duration waitedForPermits) {
        Timer.builder("ojs.worker.permits.wait")
                .description("How long claiming waited for a free permit: as long as the handlers that have them take")
                .publishPercentileHistogram()
                .register(registry)
                .record(waitedForPermits);
    }

    Timer dispatchWait() {
        return Timer.builder("ojs.worker.dispatch.wait")
                .description("From the claim of a job to the start of its handler")
                .publishPercentileHistogram()
                .register(registry);
    }

    Counter starved() {
        return Counter.builder("ojs.worker.dispatch.starved")
                .description("Times that a claimed job was found to wait too long for its handler")
                .register(registry);
    }

    Counter eventsDropped(String reason) {
        return Counter.builder("ojs.worker.events.dropped")
                .description("Domain events that are not on their topic")
                .tag("reason", reason)
                .register(registry);
    }

    Counter notJournaled(String reason) {
        return Counter.builder("ojs.worker.journal.rejected")
                .description("Unreported outcomes that are held in memory only")
                .tag("reason", reason)
                .register(registry);
    }

    /** Returns the timer of how long jobs were in hand. */
    Timer handling() {
        return Timer.builder("ojs.worker.handling")
                .description("From the claim of a job to its answered outcome")
                .register(registry);
    }

    Counter outcomes(RunOutcome outcome) {
        return Counter.builder("ojs.worker.outcomes")
                .description("Runs by how they ended")
                .tag("outcome", outcome.label())
                .register(registry);
    }

    /** Returns the counter of reports that did not count. */
    Counter rejectedReports(ErrorCode code) {
        return Counter.builder("ojs.worker.reports.rejected")
                .description("Outcomes that the partition rejected for good, by its reason")
                .tag("code", code.wire())
                .register(registry);
    }

    Counter unreadableJobs() {
        return Counter.builder("ojs.worker.jobs.unreadable")
                .description("Jobs that were handed out and could not be read")
                .register(registry);
    }

    Counter fetchFailures() {
        return Counter.builder("ojs.worker.fetch.failures")
                .description("Fetches that were rejected or got no answer")
                .register(registry);
    }
}
