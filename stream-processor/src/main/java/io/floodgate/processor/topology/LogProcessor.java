package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.log.LogEngine;
import io.floodgate.processor.log.LogRecord;
import io.floodgate.processor.log.Outcome;
import io.floodgate.processor.store.Stores;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Reads a record, has its log's engine carry it out, and carries the effects away. It knows nothing of jobs. */
final class LogProcessor implements Processor<String, byte[], String, byte[]> {
    /** How soon changed queues are published, and appended messages deleted. */
    private static final Duration UPKEEP = Duration.ofMillis(100);

    private final Routing routing;
    private final LogWriter writer;
    private final ScheduledExecutorService scheduler;
    private final Clock clock;
    private final Map<LogId, OpenLog> logs = new LinkedHashMap<>();
    private @Nullable ProcessorContext<String, byte[]> context;
    private @Nullable Cancellable upkeep;

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
        planUpkeep();
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
                new Outbox(id, engine, writer),
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
        logs.values().forEach(log -> log.ticker.close());
        logs.clear();
    }

    private record OpenLog(LogEngine engine, Outbox outbox, Ticker ticker, StatusBoard status) {}
}
