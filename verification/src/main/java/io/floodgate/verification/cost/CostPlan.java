package io.floodgate.verification.cost;

import java.time.Duration;
import java.util.List;

/**
 * What is measured, and on what.
 *
 * @param rates jobs in a second, one phase after the other; 0 is idle
 * @param callers of the last phase, in which each begins its next job when the one before has ended; 0 for no such phase
 * @param length of each phase
 * @param options of each processor and gateway
 */
record CostPlan(
        List<Integer> rates,
        int callers,
        Duration length,
        Duration warmUp,
        int brokers,
        int partitions,
        int processors,
        int gateways,
        List<String> options) {
    CostPlan {
        rates = List.copyOf(rates);
        options = List.copyOf(options);
    }
}
