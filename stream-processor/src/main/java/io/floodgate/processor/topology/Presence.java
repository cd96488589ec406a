package io.floodgate.processor.topology;

import static java.util.stream.Collectors.toSet;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this processor takes part in its groups. One that does not reach a broker can commit nothing, since a
 * transaction writes to partitions of all brokers: all of its partitions are silent. So it leaves them to processors that
 * may reach it, and comes back when it reaches all brokers, or when no other processor is left.
 */
final class Presence {
    static final Duration PERIOD = Duration.ofSeconds(1);
    /** Longer than a cluster takes to give up a broker that hangs, which no client reaches: 9 s with Kafka's defaults. */
    static final Duration PATIENCE = Duration.ofSeconds(11);
    /** Processors that do not reach a broker leave one after another, so that the last one knows that it is. */
    static final Duration BETWEEN = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    private final String node;
    private final Supplier<List<String>> outOfReach;
    private final Supplier<Set<String>> members;
    private final Consumer<Predicate<String>> leave;
    private final LongSupplier nanos;
    /** Since when a broker has not been reached, and these have been the others. */
    private long since;

    private Set<String> others = Set.of();
    private volatile boolean absent;

    /**
     * @param node what the names of its members begin with
     * @param outOfReach the brokers that it does not reach
     * @param members the names of all members of the group
     * @param leave removes the members with these names from its groups
     */
    Presence(
            String node,
            Supplier<List<String>> outOfReach,
            Supplier<Set<String>> members,
            Consumer<Predicate<String>> leave,
            LongSupplier nanos) {
        this.node = node;
        this.outOfReach = outOfReach;
        this.members = members;
        this.leave = leave;
        this.nanos = nanos;
    }

    /** Whether its consumers must not read, and not join their groups. */
    boolean isAbsent() {
        return absent;
    }

    /** Decides; to be called again and again, on a thread that may wait for the cluster. */
    void look() {
        List<String> brokers = outOfReach.get();
        if (brokers.isEmpty()) {
            others = Set.of();
            comeBack("all brokers are reached");
            return;
        }
        Set<String> now;
        try {
            now = members.get().stream().filter(Predicate.not(this::isOwn)).collect(toSet());
        } catch (KafkaException e) {
            // One that does not reach the coordinator, either, loses its partitions with its session.
            LOG.debug("The members of the group are not known.", e);
            return;
        }
        if (now.isEmpty()) comeBack("no other processor is left");
        if (!now.equals(others)) since = nanos.getAsLong();
        others = now;
        if (absent || now.isEmpty() || nanos.getAsLong() - since < patience().toNanos()) return;
        LOG.warn("Does not reach {}: the partitions of this processor are left to other processors.", brokers);
        absent = true;
        try {
            leave.accept(this::isOwn);
        } catch (KafkaException e) {
            LOG.debug("The group gives its partitions to others when their sessions end.", e);
        }
    }

    private boolean isOwn(String member) {
        return member.startsWith(node);
    }

    private Duration patience() {
        long before = others.stream().filter(other -> other.compareTo(node) < 0).count();
        return PATIENCE.plus(BETWEEN.multipliedBy(before));
    }

    private void comeBack(String why) {
        if (absent) LOG.info("Takes partitions again: {}.", why);
        absent = false;
    }
}
