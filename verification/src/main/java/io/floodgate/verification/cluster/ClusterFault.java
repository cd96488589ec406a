package io.floodgate.verification.cluster;

import java.time.Duration;
import java.util.Locale;

/** What is done to the installation. */
enum ClusterFault {
    NONE(Duration.ofSeconds(2)),
    BROKER_KILLED(Duration.ofSeconds(12)),
    /** By SIGSTOP: connections stay up, and nothing is answered. */
    BROKER_HUNG(Duration.ofSeconds(12)),
    BROKERS_ROLLED(Duration.ofSeconds(3)),
    /** Two of three. */
    BROKERS_LOST(Duration.ofSeconds(90)),
    PROCESSOR_KILLED(Duration.ofMillis(7_500)),
    PROCESSOR_FROZEN(Duration.ofMillis(7_500)),
    /** By SIGTERM, and started again after a while. */
    PROCESSOR_STOPPED(Duration.ofSeconds(2)),
    /** By SIGTERM, and started again at once. */
    PROCESSOR_RESTARTED(Duration.ofSeconds(2)),
    PROCESSORS_ROLLED(Duration.ofSeconds(2)),
    GATEWAY_KILLED(Duration.ofSeconds(2)),
    GATEWAYS_ROLLED(Duration.ofSeconds(2)),
    /** All processors but one are stopped, started again, and stopped again. */
    SCALED(Duration.ofSeconds(2));

    private final Duration atMost;

    ClusterFault(Duration atMost) {
        this.atMost = atMost;
    }

    /** The longest time a partition may be without service; where a gateway is gone, through the other one. */
    Duration atMost() {
        return atMost;
    }

    boolean isOfGateways() {
        return this == GATEWAY_KILLED || this == GATEWAYS_ROLLED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
