package io.floodgate.processor.queue.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.LogicVersion;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Work;
import io.floodgate.processor.queue.state.DefaultConfig;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.SystemDefaults;
import io.floodgate.topics.PartitionId;
import io.floodgate.topics.Routing;
import io.floodgate.topics.command.ErrorCode;
import io.floodgate.topics.command.Message.Defaults;
import io.floodgate.topics.command.Message.WantDefaults;
import io.floodgate.topics.command.QueueCommand.ConfigureQueue;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.Rejection;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import io.floodgate.topics.queue.TenantFairness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The policy of every queue that has not decided itself (OJS queue configuration §7.1). One partition decides, and
 * sends it to the others; the caller is answered when the change has been in all of them.
 */
public final class DefaultPolicy {
    private static final String FOLLOW = "follow-defaults";
    private static final int SLICE = 200;

    private final DefaultConfig decided;
    private final Queues queues;
    private final Routing routing;
    private final Work work;
    private final LogicVersion rules;
    private final Effects out;

    public DefaultPolicy(DefaultConfig decided, Queues queues, PartitionContext context) {
        this.decided = decided;
        this.queues = queues;
        this.routing = context.routing();
        this.work = context.work();
        this.rules = context.rules();
        this.out = context.out();
        context.work().register(FOLLOW, this::follow);
    }

    /** Statuses are published again after a change, a slice at a time. */
    private byte @Nullable [] follow(Work.Piece piece) {
        List<Queue> some = queues.after(new String(piece.cursor(), UTF_8), SLICE);
        for (Queue queue : some) {
            queues.changed(queue);
            // Those that the limits before have kept waiting may have something now.
            queues.toServe(queue);
        }
        return some.size() < SLICE ? null : some.getLast().name.getBytes(UTF_8);
    }

    private Defaults defaults() {
        return new Defaults(decided.version(), decided.config());
    }

    private PartitionId home() {
        return routing.ofQueue(QueueConfig.DEFAULT);
    }

    /** Changes the policy here, and then in every other partition. */
    void configure(ConfigureQueue command) {
        if (!command.set().tenants().isNone()) {
            out.reject(Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "What tenants may have is decided for each queue; '%s' cannot have 'tenants'."
                                    .formatted(QueueConfig.DEFAULT))
                    .with("field", "tenants"));
            return;
        }
        if (command.set().policy().fairness() != null) {
            out.reject(Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "Whether tenants take turns is decided for each queue; '%s' cannot have '%s'."
                                    .formatted(QueueConfig.DEFAULT, TenantFairness.NAME))
                    .with("field", TenantFairness.NAME));
            return;
        }
        // A queue must never begin to lose jobs because of what was decided about others (OJS backpressure §5.3).
        if (command.set().strategy() == Overflow.DROP_OLDEST) {
            out.reject(Rejection.of(
                            ErrorCode.INVALID_REQUEST,
                            "'drop_oldest' discards jobs, so it is decided for each queue; '%s' cannot have it."
                                    .formatted(QueueConfig.DEFAULT))
                    .with("field", "strategy"));
            return;
        }
        QueueConfig changed = command.set().over(decided.config().without(command.unset()));
        if (!changed.equals(decided.config())) {
            change(out.nextNumber(), changed);
            for (PartitionId log : routing.logs())
                if (!log.equals(out.log())) out.tell(log, QueueConfig.DEFAULT, defaults());
            JsonOut data = JsonOut.object().field("queue", QueueConfig.DEFAULT).beginObject("config");
            QueueConfigCodec.write(changed, data);
            out.emit(
                    "queue.config_updated",
                    QueueConfig.DEFAULT,
                    QueueConfig.DEFAULT,
                    data.endObject().endObject());
        }
        answerOrPassOn();
    }

    /** The partitions get it from the first one, and pass the duty to answer on from one to the next. */
    public void take(Defaults message) {
        if (message.version() > decided.version()) change(message.version(), message.config());
        answerOrPassOn();
    }

    private void answerOrPassOn() {
        if (out.replyTo() == null) return;
        List<PartitionId> logs = routing.logs();
        PartitionId next = logs.get((logs.indexOf(out.log()) + 1) % logs.size());
        if (next.equals(home())) show();
        else out.pass(next, QueueConfig.DEFAULT, defaults());
    }

    private void change(long version, QueueConfig changed) {
        decided.change(version, changed);
        work.end(FOLLOW);
        work.begin(FOLLOW, "", null);
    }

    void show() {
        if (out.replyTo() == null) return;
        out.reply(QueueStatus.ofDefaults(
                decided.config(), decided.config().over(SystemDefaults.of(rules.settings())), decided.version()));
    }

    /** Messages from that partition were lost: what it has decided may have been among them. */
    public void verify(PartitionId other) {
        if (home().equals(other)) out.tell(home(), QueueConfig.DEFAULT, new WantDefaults(out.log()));
    }

    public void tell(WantDefaults message) {
        if (decided.version() > 0 && routing.has(message.log()))
            out.tell(message.log(), QueueConfig.DEFAULT, defaults());
    }
}
