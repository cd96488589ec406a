package io.floodgate.worker;

import io.floodgate.topics.circuit.BreakerSettings;
import io.floodgate.topics.circuit.BreakerState;
import io.floodgate.topics.circuit.CircuitBreaker;
import io.floodgate.topics.command.WantedJobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A circuit breaker for each type that the worker handles: a type that keeps failing rests and is not claimed, and the others
 * go on. After its rest one job of it is claimed and tried, and no other until that has ended.
 */
final class TypeBreakers {
    private static final Logger LOG = LoggerFactory.getLogger(TypeBreakers.class);
    /** Delay of other jobs of a type while one job is tried. */
    private static final Duration WHILE_PROBING = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    private final TreeMap<String, CircuitBreaker> byType = new TreeMap<>();
    private final WantedJobs taken;
    private final BreakerSettings settings;
    private final Runnable changed;
    /** Half-open types of which a fetch for a single job has brought none: jobs of them are rare. */
    private final Set<String> askedInVain = ConcurrentHashMap.newKeySet();

    /**
     * @param taken the versions of types, and the tenants, whose jobs the worker takes
     * @param changed called when other types are to be claimed than before
     */
    TypeBreakers(
            Set<String> types,
            WantedJobs taken,
            BreakerSettings settings,
            LongSupplier nanos,
            WorkerMeters meters,
            Runnable changed) {
        this.taken = taken;
        this.settings = settings;
        this.changed = changed;
        for (String type : types) {
            CircuitBreaker breaker = new CircuitBreaker(settings, nanos);
            byType.put(type, breaker);
            meters.watch(breaker, "type:" + type);
        }
    }

    /**
     * Returns the types that may be claimed now: those that the worker handles, but for those that rest or of which a
     * job is being tried. With more types than a fetch can name, it names as many as it can of those to be left out.
     */
    Claimable claimable() {
        List<String> wanted = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        List<String> toTry = new ArrayList<>();
        Duration first = LONGEST;
        for (var each : byType.entrySet()) {
            CircuitBreaker breaker = each.getValue();
            Duration pause = breaker.pause();
            if (pause.isPositive()) {
                leftOut.add(each.getKey());
                if (pause.compareTo(first) < 0) first = pause;
            } else {
                wanted.add(each.getKey());
                if (breaker.state() == BreakerState.HALF_OPEN && !askedInVain.contains(each.getKey()))
                    toTry.add(each.getKey());
            }
        }
        WantedJobs types = byType.size() <= WantedJobs.MOST
                ? WantedJobs.only(wanted)
                : WantedJobs.allBut(leftOut.subList(0, Math.min(leftOut.size(), WantedJobs.MOST)));
        WantedJobs claimed = types.accepting(taken.versions()).ofTenants(taken.tenants());
        return new Claimable(claimed, wanted.isEmpty(), first, toTry);
    }

    /**
     * @param none nothing may be claimed
     * @param unchanged how long at most this holds
     * @param toTry half-open types: a single job may be claimed, so that none comes that has to be given back
     */
    record Claimable(WantedJobs types, boolean none, Duration unchanged, List<String> toTry) {
        int most(int permits) {
            return toTry.isEmpty() ? permits : 1;
        }
    }

    /** A fetch has been answered: what was to be tried and has not come is not waited for any longer. */
    void answered(Claimable asked) {
        askedInVain.addAll(asked.toTry());
    }

    /** Returns whether a job of this type may run now: then {@link #over} says what became of it. */
    boolean tryPass(String type) {
        CircuitBreaker breaker = byType.get(type);
        return breaker == null || breaker.tryPass();
    }

    /** Returns when a job of a type that rests is worth another try. */
    Duration rest(String type) {
        CircuitBreaker breaker = byType.get(type);
        Duration left = breaker == null ? Duration.ZERO : breaker.restLeft();
        return left.compareTo(WHILE_PROBING) < 0 ? WHILE_PROBING : left;
    }

    void over(String type, RunOutcome outcome) {
        CircuitBreaker breaker = byType.get(type);
        if (breaker == null) return;
        BreakerState before = breaker.state();
        tell(breaker, type, outcome);
        if (before == BreakerState.HALF_OPEN || before != breaker.state()) {
            askedInVain.remove(type);
            changed.run();
        }
    }

    private void tell(CircuitBreaker breaker, String type, RunOutcome outcome) {
        switch (outcome) {
            case RunOutcome.Succeeded s -> breaker.succeeded();
            case RunOutcome.Failed f when f.judged() -> breaker.succeeded();
            case RunOutcome.Failed f -> {
                if (breaker.failed())
                    LOG.warn(
                            "Jobs of type '{}' keep failing ({}); none is claimed for {}, and those that come are given back.",
                            type,
                            f.error().type(),
                            settings.rest());
            }
            case RunOutcome.GivenBack g -> breaker.saysNothing();
            case RunOutcome.LeaseLost l -> breaker.saysNothing();
            case RunOutcome.Cancelled c -> breaker.saysNothing();
        }
    }
}
