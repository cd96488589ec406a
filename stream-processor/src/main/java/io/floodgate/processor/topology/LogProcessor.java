package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.log.LogEngine;
import io.floodgate.processor.log.LogRecord;
import io.floodgate.processor.log.Outcome;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.topology.disk.CommittedStore;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
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

/** Reads a record, has its log's engine carry it out, and carries the effects away. It knows nothing of jobs. */
final class LogProcessor implements Processor<String, byte[], String, byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(LogProcessor.class);

    /** How soon changed queues are published, and appended messages deleted. */
    private static final Duration UPKEEP = Duration.ofMillis(100);

    /** What has been written since the last commit is kept in memory. */
    private static final long MOST_WRITTEN_BYTES = 16L * 1024 * 1024;

    /** How often stores that nothing is written to are marked as up to date. */
    private static final Duration MARK = Duration.ofHours(1);

    private final Routing routing;
    private final LogWriter writer;
    private final ScheduledExecutorService scheduler;
    private final Clock clock;
    private final Map<LogId, OpenLog> logs = new LinkedHashMap<>();
    private @Nullable ProcessorContext<String, byte[]> context;
    private List<CommittedStore> stores = List.of();
    private @Nullable Cancellable upkeep;
    private @Nullable ScheduledFuture<?> marking;

    LogProcessor(Routing routing, LogWriter writer, ScheduledExecutorService scheduler, Clock clock) {
        this.routing = routing;
        this.writer = writer;
        this.scheduler = scheduler;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> newContext) {
        context = newContext;
        open(new LogId(Topics.COMMANDS, newContext.taskId().partition()));
        stores = LogTopology.all(newContext);
        marking = scheduler.scheduleAtFixedRate(
                this::markStores, MARK.toMillis(), MARK.toMillis(), TimeUnit.MILLISECONDS);
        planUpkeep();
    }

    @Override
    public void process(Record<String, byte[]> record) {
        ProcessorContext<String, byte[]> in = context();
        RecordMetadata position = in.recordMetadata().orElseThrow();
        OpenLog log = open(new LogId(position.topic(), position.partition()));
        log.outbox.tidy();
        LogRecord command = Records.read(record, position.offset());
        Outcome outcome = log.engine.apply(command);
        // Whoever is answered may at once ask another log about it, which then must have heard of it.
        log.outbox.send(outcome.outgoing(), () -> outcome.answers().forEach(writer::reply));
        for (Event event : outcome.events())
            in.forward(new Record<>(event.key(), event.envelope(), record.timestamp()), LogTopology.EVENTS);
        log.status.changed(outcome.changedQueues());
        log.ticker.arm(log.engine.nextTimer(), "tick".equals(command.op()) ? command.appended() : null);
        if (writtenBytes() > MOST_WRITTEN_BYTES) in.commit();
        planUpkeep();
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

    private long writtenBytes() {
        long bytes = 0;
        for (CommittedStore store : stores) bytes += store.writtenBytes();
        return bytes;
    }

    /** Only while there is something to do: a punctuation makes for a commit, and an idle processor must not write. */
    private void planUpkeep() {
        if (upkeep == null && isUpkeepNeeded())
            upkeep = context().schedule(UPKEEP, PunctuationType.WALL_CLOCK_TIME, now -> upkeep());
    }

    private boolean isUpkeepNeeded() {
        for (OpenLog log : logs.values()) if (!log.outbox.isEmpty() || !log.status.isEmpty()) return true;
        return false;
    }

    private void upkeep() {
        for (OpenLog log : logs.values()) {
            log.outbox.tidy();
            log.status.publish((queue, value) ->
                    context().forward(new Record<>(queue, value, context().currentSystemTimeMs()), LogTopology.STATUS));
        }
        if (upkeep == null || isUpkeepNeeded()) return;
        upkeep.cancel();
        upkeep = null;
    }

    private OpenLog open(LogId id) {
        return logs.computeIfAbsent(id, this::load);
    }

    private OpenLog load(LogId id) {
        Stores stores = LogTopology.stores(context());
        LogEngine engine = new LogEngine(id, routing, stores);
        OpenLog log = new OpenLog(
                engine,
                new Outbox(id, engine, writer, routing, clock),
                new Ticker(id, writer, scheduler, clock),
                new StatusBoard(engine));
        log.ticker.arm(engine.nextTimer(), null);
        return log;
    }

    private ProcessorContext<String, byte[]> context() {
        if (context == null) throw new IllegalStateException("not initialised");
        return context;
    }

    @Override
    public void close() {
        if (marking != null) marking.cancel(false);
        logs.values().forEach(log -> log.ticker.close());
        logs.clear();
    }

    private record OpenLog(LogEngine engine, Outbox outbox, Ticker ticker, StatusBoard status) {}
}
