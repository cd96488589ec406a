package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.log.LogEngine;
import io.floodgate.topics.LogId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An instance's plain producer and its outbox, as {@code topology.Outbox} has them: messages to one log are appended in
 * order, each late, one of them perhaps never; what is appended is deleted when the instance next looks.
 */
final class Sender {
    private final Cluster cluster;
    private final Instance owner;
    private final Map<LogId, Long> lastAppend = new TreeMap<>();
    private final ArrayDeque<Outgoing> appended = new ArrayDeque<>();
    private long sent;
    /** Messages from this number on died with their sender. */
    private long lostFrom = Long.MAX_VALUE;

    private long done;
    private boolean failed;

    Sender(Cluster cluster, Instance owner) {
        this.cluster = cluster;
        this.owner = owner;
    }

    void send(List<Outgoing> messages) {
        for (Outgoing message : messages) {
            long number = sent++;
            long at = Math.max(
                    cluster.agenda.now() + cluster.chance.below(cluster.faulty ? 40 : 3),
                    lastAppend.getOrDefault(message.to(), 0L));
            lastAppend.put(message.to(), at);
            cluster.agenda.at(at, () -> append(number, message));
        }
    }

    private void append(long number, Outgoing message) {
        done = Math.max(done, number + 1);
        if (number >= lostFrom) return;
        if (cluster.strikes(400)) {
            // The ones behind it are on their way already: the receiver sees a gap.
            failed = true;
            owner.lookSoon();
            return;
        }
        cluster.broker.append(
                message.to(),
                cluster.brokerTime(),
                message.op(),
                message.value(),
                message.replyTo(),
                owner.log,
                message.sequence());
        cluster.agenda.after(cluster.chance.below(30), () -> {
            if (!failed) appended.add(message);
            owner.lookSoon();
        });
    }

    /** Deletes what is appended by now; false when something could not be, and everything has to start again. */
    boolean tidy(LogEngine engine) {
        if (failed) return false;
        for (Outgoing message = appended.poll(); message != null; message = appended.poll())
            engine.appended(message.to(), message.sequence());
        return true;
    }

    /** The sender is dead; some of what it had sent still arrives. */
    void cutOff() {
        lostFrom = done + cluster.chance.below((int) (sent - done) + 1);
    }
}
