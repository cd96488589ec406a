package io.floodgate.processor.simulation;

import io.floodgate.processor.kernel.Outgoing;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An instance's plain producer and its outbox, as {@code topology.Outbox} has them: messages to one partition are appended in
 * order, late, and some of them together; when one cannot be, it and those behind it are sent again; what is appended is deleted
 * when the instance next looks. Each record says up to which number all messages before it are known to be appended.
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

        /** Each record has one message, or some of them. */
        private void send(List<PendingMessage> messages) {
            for (int at = 0; at < messages.size(); ) {
                int most = messages.size() - at;
                int next = at + (most == 1 ? 1 : 1 + cluster.chance.below(most));
                sendTogether(List.copyOf(messages.subList(at, next)));
                at = next;
            }
        }

        private void sendTogether(List<PendingMessage> together) {
            for (PendingMessage pending : together) pending.round = round;
            int now = round;
            long number = sent++;
            long at = Math.max(cluster.agenda.now() + cluster.chance.below(cluster.faulty ? 40 : 3), lastAppend);
            lastAppend = at;
            cluster.agenda.at(at, () -> append(number, together, now));
        }

        private void append(long number, List<PendingMessage> together, int sentIn) {
            done = Math.max(done, number + 1);
            if (number >= lostFrom) return;
            PendingMessage first = together.getFirst();
            if (cluster.strikes(400)) {
                // The ones behind it are on their way already: the receiver sees a gap.
                if (sentIn == first.round) sendAgain(first);
                return;
            }
            Outgoing message = first.message;
            long acked = underWay.isEmpty()
                    ? message.sequence() - 1
                    : Math.min(underWay.element().message.sequence(), message.sequence()) - 1;
            boolean isAlone = together.size() == 1;
            cluster.broker.append(
                    message.to(),
                    cluster.brokerTime(message.to()),
                    isAlone ? message.op() : CommandBatch.OP,
                    isAlone ? message.value() : batch(together),
                    isAlone ? message.replyTo() : null,
                    owner.log,
                    message.sequence(),
                    acked);
            cluster.agenda.after(cluster.chance.below(30), () -> acknowledge(together, sentIn));
        }

        private static byte[] batch(List<PendingMessage> together) {
            List<CommandBatch.Part> parts = together.stream()
                    .map(pending -> pending.message)
                    .map(message -> new CommandBatch.Part(message.op(), message.value(), message.replyTo(), null))
                    .toList();
            return CommandBatch.encode(parts).value();
        }

        private void sendAgain(PendingMessage failed) {
            round++;
            List<PendingMessage> again = new ArrayList<>();
            for (PendingMessage pending : underWay) {
                if (pending != failed && again.isEmpty()) continue;
                pending.acked = false;
                again.add(pending);
            }
            send(again);
        }

        private void acknowledge(List<PendingMessage> together, int sentIn) {
            // What stands behind a gap will be sent again, and only that counts.
            for (PendingMessage pending : together) if (sentIn == pending.round) pending.acked = true;
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
        Map<PartitionId, List<PendingMessage>> by = new TreeMap<>();
        for (Outgoing message : messages) {
            PendingMessage pending = new PendingMessage(message, () -> {
                if (left.decrementAndGet() == 0) then.run();
            });
            by.computeIfAbsent(message.to(), to -> new ArrayList<>()).add(pending);
        }
        by.forEach((to, pending) -> {
            Receiver receiver = receivers.computeIfAbsent(to, id -> new Receiver());
            receiver.underWay.addAll(pending);
            receiver.send(pending);
        });
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
