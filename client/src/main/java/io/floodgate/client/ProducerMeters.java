package io.floodgate.client;

import io.floodgate.topics.circuit.BreakerState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Meters of a producer, for Micrometer; needs {@code micrometer-core}. Make one for each producer. */
public final class ProducerMeters implements ProducerListener {
    private record Buffered(long jobs, long bytes, double saturation) {}

    private final MeterRegistry registry;
    private final AtomicReference<Buffered> buffered = new AtomicReference<>(new Buffered(0, 0, 0));
    private final AtomicLong unreadable = new AtomicLong();
    private final Map<String, AtomicReference<Double>> pressures = new ConcurrentHashMap<>();
    private final Map<String, AtomicReference<BreakerState>> breakers = new ConcurrentHashMap<>();

    public ProducerMeters(MeterRegistry registry) {
        this.registry = registry;
        Gauge.builder("ojs.producer.buffer.jobs", () -> buffered.get().jobs)
                .description("Jobs that wait to be sent, or are under way")
                .register(registry);
        Gauge.builder("ojs.producer.buffer.bytes", () -> buffered.get().bytes)
                .description("Their bytes")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("ojs.producer.buffer.unreadable", unreadable::get)
                .description("Jobs on disk that this version of the library cannot read, and does not send")
                .register(registry);
        Gauge.builder("ojs.producer.buffer.saturation", () -> buffered.get().saturation)
                .description("How much of the buffer that takes, from 0 to 1")
                .register(registry);
    }

    @Override
    public void answered(String queue, int jobs, Result result, Duration took) {
        String name = result.name().toLowerCase(Locale.ROOT);
        Timer.builder("ojs.producer.requests")
                .description("Requests by how they ended")
                .tag("result", name)
                .register(registry)
                .record(took);
        Counter.builder("ojs.producer.jobs")
                .description("Jobs in these requests; of those that are tried again, each time")
                .tag("result", name)
                .register(registry)
                .increment(jobs);
    }

    @Override
    public void rejected(Job job, EnqueueFailed why) {
        Counter.builder("ojs.producer.given_up")
                .description("Submitted jobs that the server will never take")
                .tag("code", why.code())
                .register(registry)
                .increment();
    }

    @Override
    public void unreadable(long jobs) {
        unreadable.set(jobs);
    }

    @Override
    public void buffered(long jobs, long bytes, double saturation) {
        buffered.set(new Buffered(jobs, bytes, saturation));
    }

    @Override
    public void pressure(QueuePressure pressure) {
        pressures.computeIfAbsent(pressure.queue(), this::watchPressure).set(pressure.pressure());
    }

    private AtomicReference<Double> watchPressure(String queue) {
        AtomicReference<Double> latest = new AtomicReference<>(0.0);
        Gauge.builder("ojs.producer.queue.pressure", latest, AtomicReference::get)
                .description("How full the queue was when the server last warned")
                .tag("queue", queue)
                .register(registry);
        return latest;
    }

    @Override
    public void breaker(String queue, BreakerState state) {
        breakers.computeIfAbsent(queue, this::watchBreaker).set(state);
    }

    private AtomicReference<BreakerState> watchBreaker(String queue) {
        AtomicReference<BreakerState> latest = new AtomicReference<>(BreakerState.CLOSED);
        Gauge.builder("ojs.producer.breaker.state", latest, state -> state.get().level())
                .description("0 for closed, 1 for half open, 2 for open")
                .tag("queue", queue)
                .register(registry);
        return latest;
    }
}
