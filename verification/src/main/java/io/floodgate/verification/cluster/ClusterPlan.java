package io.floodgate.verification.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is run, and what is done to it.
 *
 * @param frozen how long something hangs
 * @param away how long something that was killed or stopped is gone
 * @param every how often each log is asked through each gateway
 * @param victim the broker that is killed or hangs, from 1; if none is named, the one that coordinates the processors' group
 * @param options of each processor and gateway
 */
record ClusterPlan(
        List<ClusterFault> faults,
        Duration frozen,
        Duration away,
        Duration every,
        int brokers,
        Optional<Integer> victim,
        int partitions,
        int processors,
        int gateways,
        List<String> options) {
    ClusterPlan {
        faults = List.copyOf(faults);
        options = List.copyOf(options);
    }
}
