package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.client.CommandClient;
import io.floodgate.topics.command.Ingress;
import io.floodgate.topics.command.QueueCommand;
import io.floodgate.topics.command.QueueCommand.Forward;
import io.floodgate.topics.command.QueueCommand.OpenIngress;
import io.floodgate.topics.command.Reply;
import io.floodgate.topics.json.Json;
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
    private static final long KEEP_PAUSE_MS = 1_000;
    private static final int RECORD_OVERHEAD = 256;

    /** Services that all flows of a process share. */
    record Common(
            CommandClient client,
            SchemaCatalog schemas,
            ScheduledExecutorService timer,
            HeldBytes held,
            SourceDeadLetters deadLetters,
            Runnable forwarded) {
        void close() {
            schemas.close();
            deadLetters.close();
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
        /** What was read, as long as it may have to be written to a topic of dead letters. */
        @Nullable
        ConsumerRecord<byte[], byte[]> record;

        PendingCommand(Forward command, int bytes) {
            this.command = command;
            this.bytes = bytes;
        }
    }

    private final Ingress ingress;
    private final @Nullable OpenSource source;
    private final Common common;
    private final PartitionId log;
    private final Deque<PendingCommand> waiting = new ArrayDeque<>();
    private final Deque<PendingCommand> sent = new ArrayDeque<>();
    private long bytes;
    private long next = -1;
    private long in = -1;
    private long pauseMs = FIRST_PAUSE_MS;
    private long start = -1;
    private boolean isStarted;
    private boolean goesBack;
    private boolean isKeeping;
    private boolean closed;

    /** @param source null for a queue's own topic */
    Flow(Ingress ingress, @Nullable OpenSource source, Common common) {
        this.ingress = ingress;
        this.source = source;
        this.common = common;
        isStarted = source == null;
        log = common.client.routing().ofQueue(ingress.queue());
    }

    @Nullable
    OpenSource source() {
        return source;
    }

    /** Whether it is of the topic with this id. */
    boolean isOf(String topicId) {
        return ingress.topicId().equals(topicId);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Lets the partition of the queue know that the topic is read.
     *
     * @param from what comes in first, if nothing of it has
     */
    synchronized void open(long from) {
        if (closed) return;
        var unused = send(new OpenIngress(ingress, from)).whenComplete((reply, failure) -> {
            if (reply instanceof Reply.Done done) opened(done);
            else openLater(from);
        });
    }

    private void openLater(long from) {
        var unused = common.timer.schedule(() -> open(from), LONGEST_PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void opened(Reply.Done reply) {
        start = Json.tree(reply.lines().getFirst()).path("next").asLong(0);
    }

    /** Returns where a source is to be read from, once it is known and has not been returned before; else a negative number. */
    synchronized long begin() {
        if (isStarted || start < 0) return -1;
        isStarted = true;
        in = start;
        return start;
    }

    /** Whether it can take records: of a source, those from its beginning on only. */
    synchronized boolean isStarted() {
        return isStarted;
    }

    synchronized void add(List<ConsumerRecord<byte[], byte[]>> records) {
        if (closed) return;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            int size = RECORD_OVERHEAD + Math.max(0, record.serializedValueSize());
            PendingCommand read =
                    new PendingCommand(IngressRecord.read(ingress, source, record, next, common.schemas), size);
            if (source != null && source.deadLetters() != null) read.record = record;
            waiting.add(read);
            next = record.offset() + 1;
            bytes += size;
            common.held.add(size);
        }
        send();
    }

    /** Returns whether it has all that it should hold: then its partition is not read on. */
    synchronized boolean isFull() {
        int records = waiting.size() + sent.size();
        return !isStarted || records >= MOST_RECORDS || bytes >= MOST_BYTES || (records > 0 && common.held.isFull());
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
        while (!closed && !goesBack && !isKeeping && sent.size() < WINDOW) {
            PendingCommand pendingCommand = waiting.peek();
            if (pendingCommand == null) return;
            if (pendingCommand.command.job() == null && pendingCommand.record != null) {
                keep(pendingCommand, pendingCommand.record);
                return;
            }
            waiting.remove();
            pendingCommand.state = State.SENT;
            sent.add(pendingCommand);
            var unused = send(pendingCommand.command).whenComplete((reply, failure) -> answered(pendingCommand, reply));
        }
    }

    /** Before the position goes on, what cannot be a job is in the topic of dead letters: twice perhaps, but never lost. */
    private void keep(PendingCommand pendingCommand, ConsumerRecord<byte[], byte[]> record) {
        if (source == null) throw new IllegalStateException("only sources have dead letters");
        isKeeping = true;
        var unused = common.deadLetters
                .write(source, record, pendingCommand.command.wrong())
                .whenComplete((kept, failure) -> {
                    if (failure == null) kept(pendingCommand);
                    else keepLater(pendingCommand, record);
                });
    }

    private void keepLater(PendingCommand pendingCommand, ConsumerRecord<byte[], byte[]> record) {
        var unused =
                common.timer.schedule(() -> keepAgain(pendingCommand, record), KEEP_PAUSE_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void keepAgain(PendingCommand pendingCommand, ConsumerRecord<byte[], byte[]> record) {
        if (!closed) keep(pendingCommand, record);
    }

    private synchronized void kept(PendingCommand pendingCommand) {
        pendingCommand.record = null;
        isKeeping = false;
        send();
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
