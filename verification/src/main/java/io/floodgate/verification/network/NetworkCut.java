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
    /** A processor from a broker that leads partitions and coordinates nothing. */
    PROCESSOR_LEADER,
    /** A gateway from the broker that leads most partitions. */
    GATEWAY,
    /** All processors and gateways from the broker that leads most partitions, which the other brokers reach. */
    CLIENTS,
    /** Nothing; of a hundred packets between processes five are lost. */
    LOSS,
    /** Nothing; each packet between processes takes 100 ms, so that an answer takes 200 ms. */
    DELAY,
    /** Nothing; connections are reset in the middle of what is written. */
    RESETS;

    @Override
    public String toString() {
        return "net-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
