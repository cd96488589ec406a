package io.floodgate.verification.network;

import java.util.Locale;

/** What is cut off from what. The broker that is cut off leads partitions. */
enum NetworkCut {
    /** A broker that coordinates nothing from the other brokers; clients reach it. */
    LEADER,
    /** The coordinator of the processors' group from the other brokers; clients reach it. */
    COORDINATOR,
    /** The active controller from the other brokers; clients reach it. */
    CONTROLLER,
    /** The coordinator of the processors' group from everything. */
    BROKER,
    /** The coordinator of the processors' group receives nothing from the other brokers, and they hear it. */
    ONE_WAY,
    /** A processor from the coordinator of its group. */
    PROCESSOR,
    /** A gateway from the broker that leads most partitions. */
    GATEWAY;

    @Override
    public String toString() {
        return "net-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
