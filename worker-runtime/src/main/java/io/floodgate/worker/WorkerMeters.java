package io.floodgate.worker;

import io.floodgate.topics.command.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** What a worker counts. Several workers may share a registry: gauges are told apart by worker, the rest adds up. */
final class WorkerMeters {
    private final MeterRegistry registry;
    private final String worker;

    WorkerMeters(MeterRegistry registry, String worker) {
        this.registry = registry;
        this.worker = worker;
    }

    void watch(Runs runs, Capacity capacity, int permits) {
        Gauge.builder("ojs.worker.running", runs, Runs::size)
                .description("Jobs that were handed out and whose outcome is not answered yet")
                .tag("worker", worker)
                .register(registry);
        Gauge.builder("ojs.worker.permits.free", capacity, Capacity::free)
                .description("Jobs that could be claimed in addition")
                .tag("worker", worker)
                .register(registry);
        Gauge.builder("ojs.worker.permits", () -> permits)
                .description("Handlers that may run at the same time")
                .tag("worker", worker)
                .register(registry);
    }

    /** How long claiming waited for a free permit. */
    Timer claimWait() {
        return Timer.builder("ojs.worker.permits.wait")
                .description("How long claiming waited for a free permit")
                .register(registry);
    }

    /** How long handlers ran. */
    Timer handling() {
        return Timer.builder("ojs.worker.handling")
                .description("From the start of a handler to its answered outcome")
                .register(registry);
    }

    Counter outcomes(Outcome outcome) {
        return Counter.builder("ojs.worker.outcomes")
                .description("Runs by how they ended")
                .tag("outcome", outcome.label())
                .register(registry);
    }

    /** What was reported and did not count. */
    Counter refusedReports(ErrorCode code) {
        return Counter.builder("ojs.worker.reports.refused")
                .description("Outcomes that the log refused for good, by its reason")
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
                .description("Fetches that were refused or got no answer")
                .register(registry);
    }
}
