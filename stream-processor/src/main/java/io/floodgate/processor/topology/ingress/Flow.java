package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.Ingress;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.schema.SchemaCatalog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The way of one partition's records to the partition of their queue: in order, a bounded number at a time. What does
 * not come in is sent again, and all that was sent behind it.
 */
final class Flow {
    /** Sent, and not answered yet. */
    static final int WINDOW = 256;

    static final int MOST_RECORDS = 2 * WINDOW;
    static final long MOST_BYTES = 4L * 1024 * 1024;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 100;
    private static final int RECORD_OVERHEAD = 256;

    /** Services that all flows of a process share. */
    record Common(
            CommandClient client,
            SchemaCatalog schemas,
            ScheduledExecutorService timer,
            HeldBytes held,
            Runnable forwarded) {
        void close() {
            schemas.close();
            client.close();
        }
    }

    private enum State {
        SENT,
        IN,
        NOT_YET
    }

    private static final class PendingCommand {
        Forward command;
        final int bytes;
        State state = State.NOT_YET;

        PendingCommand(Forward command, int bytes) {
            this.command = command;
            this.bytes = bytes;
        }
    }

    private final Ingress ingress;
    private final Common common;
    private final PartitionId log;
    private final Deque<PendingCommand> waiting = new ArrayDeque<>();
    private final Deque<PendingCommand> sent = new ArrayDeque<>();
    private long bytes;
    private long next = -1;
    private long in = -1;
    private long pauseMs = FIRST_PAUSE_MS;
    private boolean goesBack;
    private boolean closed;

    Flow(Ingress ingress, Common common) {
        this.ingress = ingress;
        this.common = common;
        log = common.client.routing().ofQueue(ingress.queue());
    }

    Ingress ingress() {
        return ingress;
    }

    /** Lets the partition of the queue know that the topic is read. */
    synchronized void open() {
        if (closed) return;
        var unused = send(new OpenIngress(ingress)).whenComplete((reply, failure) -> {
            if (!(reply instanceof Reply.Done)) openLater();
        });
    }

    private void openLater() {
        var unused = common.timer.schedule(this::open, LONGEST_PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    synchronized void add(List<ConsumerRecord<byte[], byte[]>> records) {
        if (closed) return;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            int size = RECORD_OVERHEAD + Math.max(0, record.serializedValueSize());
            waiting.add(new PendingCommand(IngressRecord.read(ingress, record, next, common.schemas), size));
            next = record.offset() + 1;
            bytes += size;
            common.held.add(size);
        }
        send();
    }

    /** Returns whether it has all that it should hold: then its partition is not read on. */
    synchronized boolean isFull() {
        int records = waiting.size() + sent.size();
        return records >= MOST_RECORDS || bytes >= MOST_BYTES || (records > 0 && common.held.isFull());
    }

    /** Returns the offset before which all has come in; negative if nothing has yet. */
    synchronized long position() {
        return in;
    }

    /** The offset that should be read next, as far as it is known. */
    synchronized long expected() {
        return next;
    }

    private void send() {
        while (!closed && !goesBack && sent.size() < WINDOW) {
            PendingCommand pendingCommand = waiting.poll();
            if (pendingCommand == null) return;
            pendingCommand.state = State.SENT;
            sent.add(pendingCommand);
            var unused = send(pendingCommand.command).whenComplete((reply, failure) -> answered(pendingCommand, reply));
        }
    }

    /** A client that fails at once is like one that gets no answer: the record is sent again. */
    private CompletableFuture<Reply> send(QueueCommand command) {
        try {
            return common.client.send(log, ingress.queue(), command, PATIENCE);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private synchronized void answered(PendingCommand pendingCommand, @Nullable Reply reply) {
        if (closed) return;
        pendingCommand.state = reply instanceof Reply.Done ? State.IN : State.NOT_YET;
        if (pendingCommand.state == State.NOT_YET) goesBack = true;
        // Whatever the rules cannot do with it: those behind it shall come in.
        if (reply instanceof Reply.Rejected rejected
                && !rejected.rejection().code().retryable())
            pendingCommand.command = pendingCommand.command.withoutJob(rejected.rejection());
        boolean progress = false;
        for (PendingCommand first = sent.peek(); first != null && first.state == State.IN; first = sent.peek()) {
            end(sent.remove());
            progress = true;
        }
        if (progress) pauseMs = FIRST_PAUSE_MS;
        if (!goesBack) send();
        else if (sent.stream().noneMatch(other -> other.state == State.SENT)) goBack();
    }

    private void end(PendingCommand pendingCommand) {
        in = pendingCommand.command.offset() + 1;
        bytes -= pendingCommand.bytes;
        common.held.add(-pendingCommand.bytes);
        common.forwarded.run();
    }

    /** Goes back, once all that was sent is answered: after a pause, to the first record that has not come in. */
    private void goBack() {
        while (!sent.isEmpty()) waiting.addFirst(sent.removeLast());
        if (closed) return;
        var unused = common.timer.schedule(this::goOn, pauseMs, TimeUnit.MILLISECONDS);
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }

    private synchronized void goOn() {
        goesBack = false;
        send();
    }

    /** Another process forwards what is left. */
    synchronized void close() {
        closed = true;
        common.held.add(-bytes);
        bytes = 0;
        waiting.clear();
    }
}
