package io.floodgate.worker;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A circuit breaker for each partition: one that does not answer is asked now and then, and nothing is claimed from it. */
final class PartitionBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionBreakers.class);

    private final ConcurrentMap<PartitionId, CircuitBreaker> byLog = new ConcurrentHashMap<>();
    private final BreakerSettings settings;
    private final LongSupplier nanos;
    private final WorkerMeters meters;

    PartitionBreakers(BreakerSettings settings, LongSupplier nanos, WorkerMeters meters) {
        this.settings = settings;
        this.nanos = nanos;
        this.meters = meters;
    }

    CircuitBreaker of(PartitionId log) {
        return byLog.computeIfAbsent(log, l -> {
            CircuitBreaker breaker = new CircuitBreaker(settings, nanos);
            meters.watch(breaker, "log:" + l);
            return breaker;
        });
    }

    void failed(PartitionId log) {
        if (of(log).failed()) LOG.warn("{} does not answer; it is asked again in {}.", log, settings.rest());
    }

    /** Returns those of the queues whose partitions are not known to be out of reach. */
    List<String> inReach(List<String> queues, Function<String, PartitionId> logOf) {
        return queues.stream()
                .filter(queue -> of(logOf.apply(queue)).state() != BreakerState.OPEN)
                .toList();
    }
}
