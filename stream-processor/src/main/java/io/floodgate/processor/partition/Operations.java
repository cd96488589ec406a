package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Alarms;
import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.PartitionPosition;
import io.floodgate.processor.kernel.Quarantine;
import io.floodgate.processor.kernel.Quarantine.Entry;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.QueueRules;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Limits;
import io.floodgate.topics.command.Message.LastNumber;
import io.floodgate.topics.command.Message.Undeliverable;
import io.floodgate.topics.command.Message.WantNumber;
import io.floodgate.topics.command.PartitionCommand.Acknowledge;
import io.floodgate.topics.command.PartitionCommand.Configure;
import io.floodgate.topics.command.PartitionCommand.DiscardQuarantined;
import io.floodgate.topics.command.PartitionCommand.Inspect;
import io.floodgate.topics.command.PartitionCommand.ListQuarantined;
import io.floodgate.topics.command.PartitionCommand.Reset;
import io.floodgate.topics.command.PartitionCommand.RetryQuarantined;
import io.floodgate.topics.command.PartitionCommand.Tick;
import io.floodgate.topics.command.PartitionCommand.Upgrade;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.JsonOut;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queries and commands of operators, and of the process that runs the partition, about the partition as a whole. */
final class Operations {
    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);

    private final PartitionPosition position;
    private final Alarms alarms;
    private final Quarantine quarantine;
    private final Timers timers;
    private final Work work;
    private final List<Entity> entities;
    private final QueueRules queues;
    private final Consumer<JsonOut> troubles;
    private final Effects out;

    Operations(
            PartitionPosition position,
            Alarms alarms,
            List<Entity> entities,
            QueueRules queues,
            Consumer<JsonOut> troubles,
            PartitionContext context) {
        this.position = position;
        this.alarms = alarms;
        this.entities = entities;
        this.queues = queues;
        this.troubles = troubles;
        quarantine = context.quarantine();
        timers = context.timers();
        work = context.work();
        out = context.out();
    }

    void register(Handlers handlers) {
        handlers.on(Tick.class, c -> out.reply(health(object()).endObject()));
        handlers.on(Reset.class, this::reset);
        handlers.on(Upgrade.class, this::upgrade);
        handlers.on(Configure.class, this::configure);
        handlers.on(Inspect.class, c -> inspect());
        handlers.on(Acknowledge.class, this::acknowledge);
        handlers.on(ListQuarantined.class, this::list);
        handlers.on(RetryQuarantined.class, c -> retry(c.id()));
        handlers.on(DiscardQuarantined.class, c -> discard(c.id()));
        handlers.on(Undeliverable.class, this::undeliverable);
        handlers.on(WantNumber.class, m -> out.tell(m.receiver(), m.receiver().toString(), new LastNumber(out.log())));
        handlers.on(LastNumber.class, m -> {}); // it was enough that it arrived
    }

    private void configure(Configure command) {
        position.changeSettings(command.settings());
        entities.forEach(Entity::settingsChanged);
        out.reply(nothing());
    }

    private void acknowledge(Acknowledge command) {
        if (alarms.clear(command.code())) out.reply(nothing());
        else out.reject(Rejection.notFound("alarm", command.code()));
    }

    /** Everything is forgotten: a record that went astray must not do that. */
    private void reset(Reset command) {
        if (command.topicId().equals(position.topicId())) Resetting.begin(work, out);
        else
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT, "Partition %s is reset only by its topic id.".formatted(out.log())));
    }

    /** LogicVersion change by one version at a time, forth or, for a roll-back, back; to those that this release knows. */
    private void upgrade(Upgrade command) {
        int version = command.rules();
        int before = position.version();
        // Of an upgrade, too: an owner that does not know these rules must come to the same.
        if (version != before && !command.topicId().equals(position.topicId())) {
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT,
                    "Partition %s changes to logic version %d only by a record that names its topic id."
                            .formatted(out.log(), version)));
            return;
        }
        if (version < LogicVersion.FIRST || version > position.newest() || Math.abs(version - before) > 1) {
            out.reject(Rejection.of(
                    ErrorCode.CONFLICT,
                    "Partition %s has logic version %d, and cannot change to version %d."
                            .formatted(out.log(), before, version)));
            return;
        }
        position.changeRules(version);
        out.reply(nothing());
    }

    private void inspect() {
        JsonOut json = object().field("log", out.log().toString())
                .field("topic_id", position.topicId())
                .field("offset", position.offset())
                .field("time", out.now())
                .field("rules", position.version())
                .field("memory_bytes", queues.memoryBytes())
                .field("max_memory_bytes", position.settings().maxMemoryBytes())
                .field("queues", queues.names().size())
                .field("waiters", queues.waiters())
                .field("jobs", queues.jobs());
        queues.writeMaintenance(json);
        troubles.accept(json);
        out.reply(health(json).endObject());
    }

    private JsonOut health(JsonOut json) {
        return alarms.write(json.field("set_aside", quarantine.size()));
    }

    // ---- what was quarantined

    private void list(ListQuarantined command) {
        long after = cursor(command.after());
        List<Entry> page = quarantine.after(after, command.limit());
        JsonOut lines = object().field("total", quarantine.size());
        if (!page.isEmpty() && !quarantine.after(page.getLast().id(), 1).isEmpty())
            lines.field("next", Long.toString(page.getLast().id()));
        lines.endObject().newLine();
        for (Entry entry : page)
            lines.beginObject()
                    .field("id", entry.id())
                    .field("kind", entry.subject().kind())
                    .field("subject", Limits.cut(entry.subject().name(), Limits.NAME_CHARS))
                    .field("since", entry.since())
                    .field("failure", entry.failure())
                    .endObject()
                    .newLine();
        out.reply(lines);
    }

    /** One that makes no sense leads to the beginning. */
    private static long cursor(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException noCursor) {
            return 0;
        }
    }

    private void retry(long id) {
        Entry entry = find(id);
        if (entry == null) return;
        quarantine.remove(entry);
        byte[] message = entry.message();
        if (message != null) again(StoredMessage.STORED.read(message));
        else if (entry.subject().kind().equals(Quarantine.TIMER))
            timers.set(Timer.about(out.now(), entry.subject().name()));
        else entities.forEach(entity -> entity.takeBack(entry.subject()));
        out.reply(nothing());
    }

    private void again(StoredMessage message) {
        try {
            out.again(CommandCodec.decode(message.op(), message.value()), message.replyTo(), null, message.by());
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("a message that could be read before", unreadable);
        }
    }

    private void discard(long id) {
        Entry entry = find(id);
        if (entry == null) return;
        quarantine.remove(entry);
        entities.forEach(entity -> entity.discard(entry.subject()));
        out.reply(nothing());
    }

    private @Nullable Entry find(long id) {
        Entry entry = quarantine.find(id);
        if (entry == null) out.reject(Rejection.notFound("entry", Long.toString(id)));
        return entry;
    }

    /** The sender's entity notices by time-out; the log and the event say it now. */
    private void undeliverable(Undeliverable message) {
        LOG.warn(
                "Partition {}: message {} to partition {}, '{}', could not be executed there: {}",
                out.log(),
                message.sequence(),
                message.receiver(),
                Limits.printable(message.op()),
                Limits.printable(message.rejection().message()));
        out.emit(
                "floodgate.message_rejected",
                out.log().toString(),
                out.log().toString(),
                object().field("log", out.log().toString())
                        .field("receiver", message.receiver().toString())
                        .field("sequence", message.sequence())
                        .field("op", Limits.cut(message.op(), Limits.OP_BYTES))
                        .field("message", Limits.echo(message.rejection().message()))
                        .endObject());
    }

    private static JsonOut object() {
        return JsonOut.object();
    }

    private static JsonOut nothing() {
        return object().endObject();
    }
}
