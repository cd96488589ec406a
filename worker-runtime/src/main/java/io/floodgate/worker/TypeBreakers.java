package io.floodgate.worker;

import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.command.JobTypes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A circuit breaker for each type that the worker handles: a type that keeps failing rests and is not claimed, and the others go on. */
final class TypeBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(TypeBreakers.class);
    /** While one job is tried, the others of its type need not come back at once. */
    private static final Duration WHILE_PROBING = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    private final TreeMap<String, CircuitBreaker> byType = new TreeMap<>();
    private final BreakerSettings settings;

    TypeBreakers(Set<String> types, BreakerSettings settings, LongSupplier nanos, WorkerMeters meters) {
        this.settings = settings;
        for (String type : types) {
            CircuitBreaker breaker = new CircuitBreaker(settings, nanos);
            byType.put(type, breaker);
            meters.watch(breaker, "type:" + type);
        }
    }

    /** Those that rest, as many as a fetch can leave out, and when the first of them has rested. */
    Resting resting() {
        List<String> types = new ArrayList<>();
        Duration first = LONGEST;
        for (var each : byType.entrySet()) {
            Duration left = each.getValue().restLeft();
            if (left.isZero() || types.size() == JobTypes.MOST) continue;
            types.add(each.getKey());
            if (left.compareTo(first) < 0) first = left;
        }
        return new Resting(types, first);
    }

    /** @param left the least that is left of their rests */
    record Resting(List<String> types, Duration left) {}

    /** Whether a job of this type may run now: then {@link #over} says what became of it. */
    boolean tryPass(String type) {
        CircuitBreaker breaker = byType.get(type);
        return breaker == null || breaker.tryPass();
    }

    /** When a job of a type that rests is worth another try. */
    Duration rest(String type) {
        CircuitBreaker breaker = byType.get(type);
        Duration left = breaker == null ? Duration.ZERO : breaker.restLeft();
        return left.compareTo(WHILE_PROBING) < 0 ? WHILE_PROBING : left;
    }

    void over(String type, Outcome outcome) {
        CircuitBreaker breaker = byType.get(type);
        if (breaker == null) return;
        switch (outcome) {
            case Outcome.Succeeded s -> breaker.succeeded();
            case Outcome.Failed f when f.judged() -> breaker.succeeded();
            case Outcome.Failed f -> {
                if (breaker.failed())
                    LOG.warn(
                            "Jobs of type '{}' keep failing ({}); none is claimed for {}, and those that come are given back.",
                            type,
                            f.error().type(),
                            settings.rest());
            }
            case Outcome.GivenBack g -> breaker.saysNothing();
            case Outcome.LeaseLost l -> breaker.saysNothing();
            case Outcome.Cancelled c -> breaker.saysNothing();
        }
    }
}
