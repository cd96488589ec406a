package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.partition.Outcome;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.topology.disk.CommittedStore;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.command.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a record, has its log's engine carry it out, and carries the effects away. It knows nothing of jobs.
 *
 * <p>It may live more than once: a task that goes elsewhere, stays as a standby and comes back is closed, and later opened,
 * with the same processor.
 */
final class PartitionProcessor implements Processor<String, byte[], String, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionProcessor.class);
    private static final Map<String, Meter> COUNTED_EVENTS = Map.of(
            "cron.triggered", Meter.CRON_TRIGGERED,
            "cron.skipped", Meter.CRON_SKIPPED,
            "workflow.started", Meter.WORKFLOWS_STARTED,
            "workflow.completed", Meter.WORKFLOWS_COMPLETED,
            "workflow.failed", Meter.WORKFLOWS_FAILED,
            "workflow.cancelled", Meter.WORKFLOWS_CANCELLED);

    /** Interval at which appended messages are deleted, and changed queues are published. */
    private static final Duration UPKEEP = Duration.ofMillis(100);

    /** Interval of measurements: one after each record would cost a tenth of executing it. */
    private static final long MEASURED_NANOS = UPKEEP.toNanos();

    /** Bytes of writes from which a commit is requested, since they are kept in memory until then. */
    private static final long MOST_WRITTEN_BYTES = 16L * 1024 * 1024;

    /** Interval at which stores without writes are marked as up to date. */
    private static final Duration MARK = Duration.ofHours(1);

    private final Edge edge;
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable OpenPartition log;
    private List<CommittedStore> stores = List.of();
    private @Nullable Cancellable upkeep;
    private @Nullable ScheduledFuture<?> marking;
    private long published;
    private long measuredAt;
    /** Something has happened since the last measurement. */
    private boolean isUnmeasured;

    PartitionProcessor(Edge edge) {
        this.edge = edge;
    }

    /** A task is a log: it is opened at once, since its timers and its messages must not wait for a record. */
    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        context = newContext;
        stores = PartitionTopology.all(newContext);
        PartitionId id = new PartitionId(newContext.taskId().partition());
        log = new OpenPartition(id, edge, PartitionTopology.stores(newContext));
        edge.open().opened(id);
        marking = edge.scheduler()
                .scheduleAtFixedRate(
                        () -> Thread.ofVirtual().start(this::markStores),
                        MARK.toMillis(),
                        MARK.toMillis(),
                        TimeUnit.MILLISECONDS);
        measure(log);
        planUpkeep();
    }

    @Override
    public void process(Record<String, byte[]> record) {
        long begun = System.nanoTime();
        ProcessorContext<String, byte[]> in = context();
        OpenPartition to = log();
        RecordMetadata position = in.recordMetadata().orElseThrow();
        PartitionRecord command = to.read(record, position.offset());
        int commands = to.engine.apply(command, outcome -> carryAway(to, outcome, record.timestamp()));
        to.outbox.tidy();
        edge.meters().count(Meter.RECORDS);
        edge.meters().count(Meter.COMMANDS, commands);
        to.ticker.saw(command.appended(), to.engine.wallTime());
        to.ticker.arm(to.engine.nextTimer(), command.isTick() ? command.appended() : null);
        to.planner.plan(to.engine);
        if (to.takeCutOff() || writtenBytes() > MOST_WRITTEN_BYTES) in.commit();
        if (record.timestamp() > 0)
            to.meters.set(Meter.PARTITION_DELAY_SECONDS, Math.max(0, in.currentSystemTimeMs() - record.timestamp()));
        isUnmeasured = true;
        long ended = System.nanoTime();
        if (ended - measuredAt >= MEASURED_NANOS) measure(to);
        edge.meters().took(ended - begun);
        planUpkeep();
    }

    private void carryAway(OpenPartition to, Outcome outcome, long timestamp) {
        // A caller with an answer may at once ask another partition about it, which must then have the message.
        long offset = to.engine.position();
        to.outbox.add(outcome.outgoing(), () -> edge.writer().reply(to.id(), offset, outcome.answers()));
        for (Event event : outcome.events())
            context()
                    .forward(
                            new Record<>(event.key(), event.envelope(), timestamp, to.headers.of(event)),
                            PartitionTopology.EVENTS);
        to.status.changed(outcome.changedQueues());
        count(outcome);
    }

    private void count(Outcome outcome) {
        Meters meters = edge.meters();
        meters.count(Meter.EVENTS, outcome.events().size());
        meters.count(Meter.MESSAGES, outcome.outgoing().size());
        meters.count(Meter.REPLIES, outcome.answers().size());
        for (Event event : outcome.events()) {
            Meter meter = COUNTED_EVENTS.get(event.type());
            if (meter != null) meters.count(meter);
            Duration late = event.late();
            if (late != null) meters.schedules().triggered(late);
        }
        for (var answer : outcome.answers()) if (answer.reply() instanceof Reply.Rejected) meters.count(Meter.REJECTED);
    }

    private long writtenBytes() {
        long bytes = 0;
        for (CommittedStore store : stores) bytes += store.writtenBytes();
        return bytes;
    }

    private void markStores() {
        try {
            stores.forEach(CommittedStore::touch);
        } catch (RuntimeException e) {
            LOG.warn(
                    "The stores of task {} could not be marked as up to date.",
                    context().taskId(),
                    e);
        }
    }

    /**
     * Plans upkeep only while there is something to do: a punctuation makes for a commit, and an idle processor must
     * not write.
     */
    private void planUpkeep() {
        if (upkeep == null && isUpkeepNeeded())
            upkeep = context().schedule(UPKEEP, PunctuationType.WALL_CLOCK_TIME, this::upkeep);
    }

    private void measure(OpenPartition open) {
        measuredAt = System.nanoTime();
        isUnmeasured = false;
        open.measure();
    }

    private boolean isUpkeepNeeded() {
        return isUnmeasured || !log().outbox.isEmpty() || !log().status.isEmpty();
    }

    private void upkeep(long now) {
        log().outbox.tidy();
        publishStatus(now);
        measure(log());
        if (upkeep == null || isUpkeepNeeded()) return;
        upkeep.cancel();
        upkeep = null;
    }

    /** Publishes changed queues, no more often than they are committed: other records would never be seen. */
    private void publishStatus(long now) {
        // Punctuations come a few milliseconds early or late.
        if (Math.abs(now - published)
                < edge.statusInterval().minus(UPKEEP.dividedBy(2)).toMillis()) return;
        published = now;
        log().status
                .publish(
                        (queue, value) -> context().forward(new Record<>(queue, value, now), PartitionTopology.STATUS));
    }

    private ProcessorContext<String, byte[]> context() {
        if (context == null) throw new IllegalStateException("not initialised");
        return context;
    }

    private OpenPartition log() {
        if (log == null) throw new IllegalStateException("not initialised");
        return log;
    }

    @Override
    public void close() {
        if (marking != null) marking.cancel(false);
        // Its task is gone, and its punctuations with it.
        upkeep = null;
        if (log == null) return;
        log.close();
        edge.open().closed(log.id());
        log = null;
    }
}
