package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.topics.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An instance's plain producer and its outbox, as {@code topology.Outbox} has them: messages to one partition are appended in
 * order, each late; when one cannot be, it and those behind it are sent again; what is appended is deleted when the
 * instance next looks. Each message says up to which number all before it are known to be appended.
 */
final class Sender {
    private static final class PendingMessage {
        private final Outgoing message;
        private final Runnable then;
        private boolean acked;
        /** The round it was last sent in. */
        private int round;

        private PendingMessage(Outgoing message, Runnable then) {
            this.message = message;
            this.then = then;
        }
    }

    private final class Receiver {
        private final Deque<PendingMessage> underWay = new ArrayDeque<>();
        private long lastAppend;
        /** So often everything that is under way was sent again. */
        private int round;

        private void send(PendingMessage pending) {
            pending.round = round;
            int now = round;
            long number = sent++;
            long at = Math.max(cluster.agenda.now() + cluster.chance.below(cluster.faulty ? 40 : 3), lastAppend);
            lastAppend = at;
            cluster.agenda.at(at, () -> append(number, pending, now));
        }

        private void append(long number, PendingMessage pending, int sentIn) {
            done = Math.max(done, number + 1);
            if (number >= lostFrom) return;
            if (cluster.strikes(400)) {
                // The ones behind it are on their way already: the receiver sees a gap.
                if (sentIn == pending.round) sendAgain(pending);
                return;
            }
            Outgoing message = pending.message;
            long acked = underWay.isEmpty()
                    ? message.sequence() - 1
                    : Math.min(underWay.element().message.sequence(), message.sequence()) - 1;
            cluster.broker.append(
                    message.to(),
                    cluster.brokerTime(message.to()),
                    message.op(),
                    message.value(),
                    message.replyTo(),
                    owner.log,
                    message.sequence(),
                    acked);
            cluster.agenda.after(cluster.chance.below(30), () -> acknowledge(pending, sentIn));
        }

        private void sendAgain(PendingMessage failed) {
            round++;
            boolean behind = false;
            for (PendingMessage pending : underWay) {
                behind |= pending == failed;
                if (!behind) continue;
                pending.acked = false;
                send(pending);
            }
        }

        private void acknowledge(PendingMessage pending, int sentIn) {
            // What stands behind a gap will be sent again, and only that counts.
            if (sentIn == pending.round) pending.acked = true;
            while (!underWay.isEmpty() && underWay.element().acked) {
                PendingMessage first = underWay.remove();
                appended.add(first.message);
                if (owner.isAlive()) first.then.run();
            }
            owner.lookSoon();
        }
    }

    private final Cluster cluster;
    private final Instance owner;
    private final Map<PartitionId, Receiver> receivers = new TreeMap<>();
    private final ArrayDeque<Outgoing> appended = new ArrayDeque<>();
    private long sent;
    /** Messages from this number on died with their sender. */
    private long lostFrom = Long.MAX_VALUE;

    private long done;

    Sender(Cluster cluster, Instance owner) {
        this.cluster = cluster;
        this.owner = owner;
    }

    /** @param then runs once all of them stand in their partitions, at once if there are none */
    void send(List<Outgoing> messages, Runnable then) {
        if (messages.isEmpty()) then.run();
        AtomicInteger left = new AtomicInteger(messages.size());
        for (Outgoing message : new ArrayList<>(messages)) {
            Receiver receiver = receivers.computeIfAbsent(message.to(), to -> new Receiver());
            PendingMessage pending = new PendingMessage(message, () -> {
                if (left.decrementAndGet() == 0) then.run();
            });
            receiver.underWay.add(pending);
            receiver.send(pending);
        }
    }

    /** Deletes what is appended by now. */
    void tidy(PartitionEngine engine) {
        for (Outgoing message = appended.poll(); message != null; message = appended.poll())
            engine.appended(message.to(), message.sequence());
    }

    /** The sender is dead; some of what it had sent still arrives. */
    void cutOff() {
        lostFrom = done + cluster.chance.below((int) (sent - done) + 1);
    }
}
