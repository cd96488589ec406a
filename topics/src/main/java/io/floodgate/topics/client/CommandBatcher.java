package io.floodgate.topics.client;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.CommandBatch;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.ReplyTo;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Puts commands into logs, by one producer or past it. What comes while a record is on its way to the same partition
 * travels with the next one, as a {@link CommandBatch}: a record costs almost the same whatever it carries. When many
 * come, they leave by a {@link SendSchedule}; a single command leaves at once.
 *
 * <p>The producer's own thread sends only when Kafka has just answered. At any other time it could have to wait for
 * what only itself brings about: the topic's metadata, or room.
 */
final class CommandBatcher {
    /** A command that has waited this long would wait as long again. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_COMMANDS = 250;
    private static final int MOST_BYTES = 256 * 1024;

    private static final int SHORT = 32;

    /** Number of events that must have happened before the next record goes: it was sent, and Kafka has answered. */
    private static final int SENT_AND_SETTLED = 2;

    /** Called once, when Kafka has the command or has not taken it; {@code unsent} if it certainly never will. */
    interface Appended {
        void by(OptionalLong offset, @Nullable Exception failure, boolean unsent);
    }

    /** A command on its way. */
    record PendingCommand(
            String key,
            CommandCodec.Encoded command,
            @Nullable ReplyTo replyTo,
            @Nullable Identity by,
            long since,
            Appended appended) {
        private int bytes() {
            return command.value().length;
        }

        private CommandBatch.Part part() {
            return new CommandBatch.Part(command.op(), command.value(), replyTo, Identity.written(by));
        }
    }

    private final Producer<String, byte[]> producer;
    private final LocalPartitions local;
    private final Map<PartitionId, Line> lines = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private final SendSchedule sendSchedule = new SendSchedule();
    private final DeadlineTimer alarm = new DeadlineTimer("floodgate-command-batches", this::depart);

    /** @param local takes records past the producer where it can */
    CommandBatcher(Producer<String, byte[]> producer, LocalPartitions local) {
        this.producer = producer;
        this.local = local;
    }

    /** Sends all commands that may leave, to whatever partition: Kafka gets them in one request. */
    private long depart(long now) {
        long next = sendSchedule.next();
        if (now < next) return next;
        int left = 0;
        List<Runnable> leaving = new ArrayList<>();
        for (Line line : lines.values()) {
            List<PendingCommand> pendingCommands = line.take();
            left += pendingCommands.size();
            if (!pendingCommands.isEmpty()) leaving.add(() -> line.ship(pendingCommands));
        }
        sendSchedule.depart(now, left);
        leaving.forEach(Runnable::run);
        return DeadlineTimer.NEVER;
    }

    /** Sends the waiting commands on the thread that may wait. */
    private void departSoon() {
        alarm.set(DeadlineTimer.now());
    }

    private boolean mustWait(int commands) {
        if (sendSchedule.mayLeave(commands, DeadlineTimer.now())) return false;
        alarm.set(sendSchedule.next());
        return true;
    }

    /** Returns whether what comes now leaves with the next record to this partition. */
    boolean leavesSoon(PartitionId log) {
        Line line = lines.get(log);
        return line == null || line.isShort();
    }

    void send(PartitionId log, PendingCommand pendingCommand) {
        if (closed) pendingCommand.appended.by(OptionalLong.empty(), new IllegalStateException("closed"), true);
        else lines.computeIfAbsent(log, Line::new).add(pendingCommand);
    }

    /** One record, which travels alone and waits for no other. */
    void send(ProducerRecord<String, byte[]> record, Appended appended) {
        if (closed) {
            appended.by(OptionalLong.empty(), new IllegalStateException("closed"), true);
            return;
        }
        Thread sender = Thread.currentThread();
        AtomicBoolean handedOver = new AtomicBoolean();
        try {
            local.send(
                    record,
                    (metadata, failure) -> {
                        boolean unsent =
                                !handedOver.get() && Thread.currentThread().equals(sender);
                        appended.by(OptionalLong.empty(), failure, failure != null && unsent);
                    },
                    producer);
            handedOver.set(true);
        } catch (RuntimeException failure) {
            appended.by(OptionalLong.empty(), failure, true);
        }
    }

    /** Sends the waiting commands, as far as possible within this time; fails the rest as not sent. */
    void close(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        for (Line line : lines.values()) line.awaitAllSent(deadline);
        closed = true;
        alarm.close();
        producer.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }

    /** The commands that wait for one partition. */
    private final class Line {
        private final PartitionId log;
        private final ArrayDeque<PendingCommand> waiting = new ArrayDeque<>();
        private boolean underWay;
        /** Records that are about to be handed to the producer. */
        private int leaving;

        private Line(PartitionId log) {
            this.log = log;
        }

        private void add(PendingCommand pendingCommand) {
            synchronized (this) {
                waiting.add(pendingCommand);
            }
            leave();
        }

        private void leave() {
            int commands = readyToLeave();
            if (commands > 0 && !mustWait(commands)) ship(take());
        }

        private synchronized boolean isShort() {
            return waiting.size() < SHORT;
        }

        private synchronized int readyToLeave() {
            return underWay ? 0 : Math.min(waiting.size(), MOST_COMMANDS);
        }

        /** Returns the commands that leave together; none while a record is on its way. */
        private List<PendingCommand> take() {
            List<PendingCommand> late = new ArrayList<>();
            List<PendingCommand> next = take(late);
            for (PendingCommand pendingCommand : late)
                pendingCommand.appended.by(
                        OptionalLong.empty(), new TimeoutException("Kafka has not taken what stood before it"), true);
            return next;
        }

        private synchronized List<PendingCommand> take(List<PendingCommand> late) {
            List<PendingCommand> next = new ArrayList<>();
            if (underWay) return next;
            long bytes = 0;
            for (PendingCommand first = waiting.peek(); first != null; first = waiting.peek()) {
                if (System.nanoTime() - first.since > PATIENCE.toNanos()) {
                    late.add(waiting.remove());
                    continue;
                }
                bytes += first.bytes();
                if (!next.isEmpty() && (bytes > MOST_BYTES || next.size() == MOST_COMMANDS)) break;
                next.add(waiting.remove());
            }
            underWay = !next.isEmpty();
            if (underWay) leaving++;
            return next;
        }

        /** Sends, and goes on as long as what is sent is settled before the producer returns. */
        private void ship(List<PendingCommand> first) {
            List<PendingCommand> next = first;
            while (!next.isEmpty()) {
                boolean over = new Shipment(this, next).isOverAtOnce();
                isHandedOver();
                if (!over) return;
                arrived();
                next = take();
            }
        }

        private synchronized void arrived() {
            underWay = false;
        }

        private synchronized void isHandedOver() {
            leaving--;
            if (leaving == 0 && waiting.isEmpty()) notifyAll();
        }

        private synchronized void awaitAllSent(long deadline) {
            try {
                while (leaving > 0 || !waiting.isEmpty()) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) return;
                    wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A record on its way. */
    private final class Shipment {
        private final Line line;
        private final List<PendingCommand> pendingCommands;
        private final Thread sender = Thread.currentThread();
        private final AtomicBoolean handedOver = new AtomicBoolean();
        private final AtomicBoolean told = new AtomicBoolean();
        private final AtomicInteger steps = new AtomicInteger();

        private Shipment(Line line, List<PendingCommand> pendingCommands) {
            this.line = line;
            this.pendingCommands = pendingCommands;
        }

        private boolean isOverAtOnce() {
            try {
                local.send(record(), this::ended, producer);
            } catch (RuntimeException failure) {
                tell(OptionalLong.empty(), failure, true);
                line.arrived();
                departSoon();
                return false;
            }
            handedOver.set(true);
            return steps.incrementAndGet() == SENT_AND_SETTLED;
        }

        private ProducerRecord<String, byte[]> record() {
            PendingCommand first = pendingCommands.getFirst();
            return pendingCommands.size() == 1
                    ? PartitionAppender.record(line.log, first.key, first.command, first.replyTo, first.by)
                    : PartitionAppender.record(
                            line.log,
                            CommandBatch.OP,
                            CommandBatch.encode(pendingCommands.stream()
                                    .map(PendingCommand::part)
                                    .toList()),
                            null,
                            null);
        }

        private void ended(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
            boolean unsent = !handedOver.get() && Thread.currentThread().equals(sender);
            OptionalLong offset = metadata != null && metadata.hasOffset()
                    ? OptionalLong.of(metadata.offset())
                    : OptionalLong.empty();
            if (steps.incrementAndGet() == SENT_AND_SETTLED) {
                line.arrived();
                if (failure == null) line.leave();
                else departSoon();
            }
            tell(offset, failure, unsent);
        }

        private void tell(OptionalLong offset, @Nullable Exception failure, boolean unsent) {
            if (told.compareAndSet(false, true))
                for (PendingCommand pendingCommand : pendingCommands)
                    pendingCommand.appended.by(offset, failure, unsent);
        }
    }
}
