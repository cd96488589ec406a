package io.floodgate.processor.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Rules;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.LogId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.Refusal;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.List;

/**
 * What is decided about every queue that has not decided it itself (OJS queue configuration §7.1). One log decides, and tells
 * the others; whoever changed it is answered when the change has been in all of them.
 */
final class DefaultPolicy {
    private static final String FOLLOW = "follow-defaults";
    private static final int SLICE = 200;
    private static final int VERSION = 1;

    private final KeyValues entities;
    private final Routing routing;
    private final Work work;
    private final Rules rules;
    private final Undo undo;
    private final Effects out;
    private long version;
    private QueueConfig config = QueueConfig.NONE;

    DefaultPolicy(KeyValues entities, Routing routing, Work work, Rules rules, Undo undo, Effects out) {
        this.entities = entities;
        this.routing = routing;
        this.work = work;
        this.rules = rules;
        this.undo = undo;
        this.out = out;
    }

    /** Whose statuses are told anew after a change, a slice at a time. */
    void define(Queues queues) {
        work.define(FOLLOW, piece -> {
            List<Queue> some = queues.after(new String(piece.cursor(), UTF_8), SLICE);
            for (Queue queue : some) {
                queues.changed(queue);
                // Whom the limits before have kept waiting may have something now.
                queues.toServe(queue);
            }
            return some.size() < SLICE ? null : some.getLast().name.getBytes(UTF_8);
        });
    }

    void load() {
        byte[] stored = entities.get(Keys.defaults());
        version = 0;
        config = QueueConfig.NONE;
        if (stored == null) return;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the default policy of queues");
        version = in.number();
        config = StoredConfig.read(in.blob());
    }

    QueueConfig config() {
        return config;
    }

    private LogId home() {
        return routing.ofQueue(QueueConfig.DEFAULT);
    }

    /** Here, and then in every other log. */
    void configure(ConfigureQueue command) {
        if (!command.set().tenants().isNone()) {
            out.refuse(Refusal.of(
                            ErrorCode.INVALID_REQUEST,
                            "What tenants may have is decided for each queue; '%s' cannot have 'tenants'."
                                    .formatted(QueueConfig.DEFAULT))
                    .with("field", "tenants"));
            return;
        }
        // A queue must never begin to lose jobs because of what was decided about others (OJS backpressure §5.3).
        if (command.set().strategy() == Overflow.DROP_OLDEST) {
            out.refuse(Refusal.of(
                            ErrorCode.INVALID_REQUEST,
                            "'drop_oldest' discards jobs, so it is decided for each queue; '%s' cannot have it."
                                    .formatted(QueueConfig.DEFAULT))
                    .with("field", "strategy"));
            return;
        }
        QueueConfig changed = command.set().over(config.without(command.unset()));
        if (!changed.equals(config)) {
            change(out.nextNumber(), changed);
            for (LogId log : routing.logs())
                if (!log.equals(out.log())) out.tell(log, QueueConfig.DEFAULT, new Defaults(version, config));
            JsonOut data = new JsonOut()
                    .beginObject()
                    .field("queue", QueueConfig.DEFAULT)
                    .name("config")
                    .beginObject();
            QueueConfigCodec.write(config, data);
            out.emit(
                    "queue.config_updated",
                    QueueConfig.DEFAULT,
                    QueueConfig.DEFAULT,
                    data.endObject().endObject());
        }
        answerOrPassOn();
    }

    /** The logs hear of it from the first one, and hand the duty to answer on from one to the next. */
    void take(Defaults message) {
        if (message.version() > version) change(message.version(), message.config());
        answerOrPassOn();
    }

    private void answerOrPassOn() {
        if (out.replyTo() == null) return;
        List<LogId> logs = routing.logs();
        LogId next = logs.get((logs.indexOf(out.log()) + 1) % logs.size());
        if (next.equals(home())) show();
        else out.pass(next, QueueConfig.DEFAULT, new Defaults(version, config));
    }

    private void change(long newVersion, QueueConfig changed) {
        long versionBefore = version;
        QueueConfig before = config;
        undo.by(() -> {
            version = versionBefore;
            config = before;
        });
        version = newVersion;
        config = changed;
        entities.put(
                Keys.defaults(),
                new BinaryOut()
                        .u8(VERSION)
                        .number(version)
                        .blob(StoredConfig.write(config))
                        .toBytes());
        work.end(FOLLOW);
        work.begin(FOLLOW, "", null);
    }

    void show() {
        if (out.replyTo() == null) return;
        out.reply(QueueStatus.ofDefaults(config, config.over(SystemDefaults.of(rules.settings())), version));
    }

    /** Messages from that log were lost: what it has decided may have been among them. */
    void verify(LogId other) {
        if (home().equals(other)) out.tell(home(), QueueConfig.DEFAULT, new WantDefaults(out.log()));
    }

    void tell(WantDefaults message) {
        if (version > 0 && routing.has(message.log()))
            out.tell(message.log(), QueueConfig.DEFAULT, new Defaults(version, config));
    }

    void clear() {
        if (version == 0) return;
        long versionBefore = version;
        QueueConfig before = config;
        undo.by(() -> {
            version = versionBefore;
            config = before;
        });
        version = 0;
        config = QueueConfig.NONE;
        entities.delete(Keys.defaults());
    }
}
