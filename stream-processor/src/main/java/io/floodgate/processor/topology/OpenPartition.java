package io.floodgate.processor.topology;

import io.floodgate.processor.kernel.Event;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.store.Stores;
import io.floodgate.processor.workflow.StepReason;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Topics;
import io.floodgate.topics.command.Command;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.PartitionSettings;
import io.floodgate.topics.queue.TenantResource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A partition that this instance owns: its engine, and what carries the engine's effects away. */
final class OpenPartition {
    private static final Logger LOG = LoggerFactory.getLogger(OpenPartition.class);

    private static final int MOST_NAMED = 5;

    /** The steps of a record have numbers from 1 on. */
    private static final int READING = 0;

    private final PartitionId id;
    private final Edge edge;
    final PartitionEngine engine;
    final Outbox outbox;
    final Ticker ticker;
    final Planner planner;
    final StatusBoard status;
    final PartitionMeters meters;
    final CloudEventHeaders headers;
    private final StepWatch.Watched steps;
    private volatile String topicId;
    private long expected;

    OpenPartition(PartitionId id, Edge edge, Stores stores) {
        this.id = id;
        this.edge = edge;
        topicId = edge.topics().id(Topics.COMMANDS);
        steps = edge.steps().watch(id, this::topicId);
        engine = new PartitionEngine(id, edge.routing(), steps.over(stores)).limited(steps);
        outbox = new Outbox(id, engine, edge.writer(), edge.routing(), edge.clock());
        ticker = new Ticker(id, edge.writer(), edge.scheduler(), new BrokerTime(edge.clock(), System::nanoTime));
        planner = new Planner(id, edge.writer(), edge.clock());
        status = new StatusBoard(engine);
        expected = engine.position() + 1;
        meters = edge.meters().opened(id);
        headers = new CloudEventHeaders(edge.logs().cloudEvents(), Event.source(id));
        ticker.arm(engine.nextTimer(), null);
        tellWhatIsDecided();
        planner.plan(engine);
        warnOfUnbounded();
    }

    /** OJS backpressure §6.3: they are a known risk. */
    private void warnOfUnbounded() {
        List<String> names = engine.unboundedQueues();
        if (names.isEmpty() || !edge.open().isFirst(id)) return;
        String some = String.join(", ", names.subList(0, Math.min(names.size(), MOST_NAMED)));
        LOG.warn(
                "Partition {}: {} queue(s) without a bound, which can fill the disk: {}{}. Bound them with PUT"
                        + " /ojs/v1/admin/queues/{name}/config.",
                id,
                names.size(),
                some,
                names.size() > MOST_NAMED ? ", …" : "");
    }

    /** LogicVersion and settings are part of the partition's state, so they change by a record. */
    private void tellWhatIsDecided() {
        if (engine.rules() < LogicVersion.NEWEST) append(new Upgrade(LogicVersion.NEWEST, topicId));
        PartitionSettings settings = edge.disk().settings();
        if (!engine.settings().equals(settings)) append(new Configure(settings));
    }

    private void append(Command command) {
        edge.writer().command(id, command, failure -> {
            if (failure != null)
                LOG.warn(
                        "The command '{}' could not be appended to partition {} ({}); it will be when the partition is"
                                + " opened again.",
                        command,
                        id,
                        failure.toString());
        });
    }

    /** The record as the rules see it; where the partition begins is only asked for when records are missing. */
    PartitionRecord read(Record<String, byte[]> record, long offset) {
        long start = -1;
        if (offset != expected) {
            topicId = edge.topics().id(Topics.COMMANDS);
            if (offset > expected) start = edge.topics().start(id);
        }
        if (offset > expected) edge.meters().count(Meter.GAPS);
        expected = offset + 1;
        boolean isSkipped = edge.logs().skipped().contains(id + ":" + offset);
        if (isSkipped)
            LOG.warn("Partition {}, offset {}: the record is skipped, as an operator has configured.", id, offset);
        if (isSkipped || steps.isCutOff(offset, READING)) return Records.skipped(record, offset, topicId, start);
        steps.begin(offset, READING);
        try {
            return Records.read(record, offset, topicId, start);
        } finally {
            steps.end();
        }
    }

    private String topicId() {
        return topicId;
    }

    /** Returns whether a step has failed since the last time because it was cut off: this should be committed soon. */
    boolean takeCutOff() {
        return steps.takeFailed();
    }

    PartitionId id() {
        return id;
    }

    /** Measures what is shown of the partition to operators. */
    void measure() {
        meters.set(Meter.PARTITION_POSITION, engine.position());
        meters.set(Meter.PARTITION_MEMORY_BYTES, engine.memoryBytes());
        meters.set(Meter.PARTITION_MEMORY_BYTES_MAX, engine.settings().maxMemoryBytes());
        meters.set(Meter.PARTITION_WAITERS, engine.waiters());
        meters.set(Meter.PARTITION_UNIQUE_KEYS, engine.uniqueKeys());
        meters.set(Meter.PARTITION_KEY_LINE, engine.waitingForKeys());
        meters.set(Meter.PARTITION_TENANT_BOUNDS, engine.tenantBounds());
        meters.set(Meter.PARTITION_TENANTS_FULL, engine.tenantsFull(TenantResource.JOBS));
        meters.set(Meter.PARTITION_TENANTS_AT_CONCURRENCY, engine.tenantsFull(TenantResource.RUNNING));
        meters.set(Meter.CRON_UNPLANNED, engine.schedules().unplanned());
        meters.set(Meter.WORKFLOWS_UNFINISHED, engine.workflows().running());
        Map<StepReason, Long> steps = engine.workflows().unfinishedSteps();
        for (StepReason reason : StepReason.values())
            meters.set(Meter.stepsBecause(reason), steps.getOrDefault(reason, 0L));
        meters.set(Meter.PARTITION_ALARMS, engine.alarms().size());
        meters.set(Meter.PARTITION_UNREACHABLE, outbox.failing());
        meters.set(Meter.PARTITION_OUTBOX, outbox.size());
        engine.schedules()
                .takeStandings((name, standing) -> edge.meters().schedules().show(id, name, standing));
    }

    void close() {
        steps.close();
        ticker.close();
        edge.meters().closed(id, meters);
    }
}
