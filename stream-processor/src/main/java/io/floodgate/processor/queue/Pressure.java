package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.QueueTold.Refused;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is told of full queues. Crossing a level is told once; of refusals, of which there may be a million, the first one at
 * once, and then how many there were of which type and of which tenant, once a second at most.
 */
final class Pressure {
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** The levels of the documentation; a queue has to fall some way below one before it is told again. */
    private static final double WARNING = 0.80;

    private static final double WARNING_ENDS = 0.75;
    private static final double CRITICAL = 0.95;
    private static final double CRITICAL_ENDS = 0.90;

    private static final double ROUNDING = 10_000;

    /** Kinds of refusals that are remembered to be told of together. */
    private static final int MOST_UNTOLD = 20;

    private final Effects out;
    private final Queues queues;
    private final Timers timers;

    Pressure(Queues queues, Timers timers, Effects out) {
        this.queues = queues;
        this.timers = timers;
        this.out = out;
    }

    /** To four decimals; above 1 once a bound was lowered. */
    static double of(Queue queue) {
        return of(queue.config(), queue.counts.depth(), queue.counts.bytes());
    }

    static double of(QueueConfig config, long depth, long bytes) {
        return rounded(config.pressure(depth, bytes));
    }

    /** What bounds and levels are compared with: what is shown is cut off, and would be too small by a little. */
    private static double exact(Queue queue) {
        return queue.config().pressure(queue.counts.depth(), queue.counts.bytes());
    }

    static boolean isWarning(QueueConfig config, long depth, long bytes) {
        return config.pressure(depth, bytes) >= config.threshold();
    }

    static double rounded(double exact) {
        return Math.floor(exact * ROUNDING) / ROUNDING;
    }

    static String level(Queue queue) {
        if (of(queue) >= 1) return "full";
        return switch (queue.told().level()) {
            case 0 -> "normal";
            case 1 -> "warning";
            default -> "critical";
        };
    }

    /** At the end of a step: what has crossed a level in it. */
    void tell(Collection<Queue> changed) {
        for (Queue queue : changed)
            if (queue.config().isBounded() || queue.told().isAny()) tell(queue);
    }

    private void tell(Queue queue) {
        QueueConfig config = queue.config();
        QueueTold before = queue.told();
        double now = exact(queue);
        boolean warned = config.isBounded() && now >= config.threshold();
        boolean full = now >= 1;
        int level = level(before.level(), now);
        if (warned && !before.warned()) emit("backpressure.warning", queue, data -> {});
        if (!warned && before.warned()) emit("backpressure.cleared", queue, data -> {});
        // A batch may cross both at once.
        if (level >= 1 && before.level() < 1) emitLevel("queue.pressure_warning", queue);
        if (level == 2 && before.level() < 2) emitLevel("queue.pressure_critical", queue);
        if (full && !before.full())
            emit("queue.full", queue, data -> {
                if (config.depthBound() > 0) data.field("max_size", config.depthBound());
            });
        QueueTold after = before.at(level, warned, full);
        if (!after.equals(before)) queue.tell(after);
    }

    private void emitLevel(String type, Queue queue) {
        emit(type, queue, data -> data.field("pressure", of(queue)));
    }

    private static int level(int before, double now) {
        if (now > CRITICAL || (before == 2 && now >= CRITICAL_ENDS)) return 2;
        return now > WARNING || (before >= 1 && now >= WARNING_ENDS) ? 1 : 0;
    }

    /**
     * Jobs were refused together. The first are reported at once, and more of them a second later.
     *
     * @param tenant whose bound is the reason; null if that of the queue is
     * @param isOffered they have not been counted before as jobs that wait for room
     */
    void rejected(Queue queue, long jobs, String type, @Nullable String tenant, boolean isOffered) {
        queue.tell(queue.told().rejected(new Refused(tenant == null ? Refused.OF_QUEUE : tenant, type), jobs));
        if (isOffered) queue.isOffered(jobs, out.now());
        queues.changed(queue);
        QueueTold told = queue.told();
        boolean isTime = !out.now().isBefore(due(told));
        // Nothing is remembered of a queue that is not there.
        if (isTime || told.untold().size() >= MOST_UNTOLD || !queues.has(queue.name)) tellRejected(queue);
        else timers.set(Timer.refusals(due(told), queue.name));
    }

    private static Instant due(QueueTold told) {
        return told.lastTold().plus(PAUSE);
    }

    /** Sets the timers of all that is still to be told. */
    void load() {
        for (Queue queue : queues.all())
            if (!queue.told().untold().isEmpty()) timers.set(Timer.refusals(due(queue.told()), queue.name));
    }

    /** It is time, or the last chance. */
    void tellRest(Queue queue) {
        if (queue.told().untold().isEmpty()) return;
        queues.changed(queue);
        tellRejected(queue);
    }

    private void tellRejected(Queue queue) {
        QueueTold told = queue.told();
        timers.cancel(Timer.refusals(due(told), queue.name));
        Set<String> tenants = new LinkedHashSet<>();
        boolean isFull = false;
        for (Map.Entry<Refused, Long> some : told.untold().entrySet()) {
            Refused which = some.getKey();
            if (which.isOfTenant()) tenants.add(which.tenant());
            else isFull = true;
            emitRejected(queue, which, some.getValue());
        }
        for (String tenant : tenants) emitExceeded(queue, tenant);
        if (isFull) emitOverflow(queue, data -> {});
        queue.tell(told.toldAt(out.now()));
    }

    private void emitRejected(Queue queue, Refused which, long count) {
        Consumer<JsonOut> rest = data -> {
            if (!which.type().isEmpty()) data.field("job_type", which.type());
            data.field("strategy", queue.config().overflow().wire()).field("count", count);
        };
        if (which.isOfTenant()) emitOfTenant("backpressure.rejected", queue, which.tenant(), rest);
        else emit("backpressure.rejected", queue, rest);
    }

    private void emitExceeded(Queue queue, String tenant) {
        out.emit(
                "tenant.limit_exceeded",
                queue.name,
                queue.name,
                new JsonOut()
                        .beginObject()
                        .field("tenant_id", tenant)
                        .field("queue", queue.name)
                        .field("limit", TenantDemand.LIMIT)
                        .field("current", TenantDemand.depth(queue, tenant))
                        .field("maximum", queue.config().tenants().of(tenant))
                        .endObject());
    }

    /**
     * A producer has begun to wait for room, and is the first one.
     *
     * @param tenant whose bound is the reason; null if that of the queue is
     */
    void blocked(Queue queue, @Nullable String tenant) {
        if (out.now().isBefore(queue.told().lastBlocked().plus(PAUSE))) return;
        Consumer<JsonOut> policy =
                data -> data.field("policy", queue.config().overflow().wire());
        if (tenant == null) emit("queue.overflow", queue, policy);
        else emitOfTenant("queue.overflow", queue, tenant, policy);
        queue.tell(queue.told().blockedAt(out.now()));
    }

    /** The job has made room. */
    void dropped(Queue queue, Job job) {
        queue.tell(queue.told().droppedOne());
        emit(
                "backpressure.dropped",
                queue,
                data -> data.field("job_id", job.id.toString()).field("job_type", job.type));
        emitOverflow(queue, data -> data.field("job_id", job.id.toString()));
    }

    private void emitOverflow(Queue queue, Consumer<JsonOut> more) {
        emit("queue.overflow", queue, data -> {
            data.field("policy", queue.config().overflow().wire());
            more.accept(data);
        });
    }

    /** With the tenant's figures in the place of the queue's. */
    private void emitOfTenant(String type, Queue queue, String tenant, Consumer<JsonOut> more) {
        JsonOut data = new JsonOut()
                .beginObject()
                .field("queue", queue.name)
                .field("depth", TenantDemand.depth(queue, tenant))
                .field("bound", queue.config().tenants().of(tenant))
                .field("tenant_id", tenant);
        more.accept(data);
        out.emit(type, queue.name, queue.name, data.endObject());
    }

    private void emit(String type, Queue queue, Consumer<JsonOut> more) {
        QueueConfig config = queue.config();
        JsonOut data = new JsonOut()
                .beginObject()
                .field("queue", queue.name)
                .field("depth", queue.counts.depth())
                .field("bound", config.bound());
        if (config.sizeBound() > 0)
            data.field("size_bytes", queue.counts.bytes()).field("max_size_bytes", config.sizeBound());
        more.accept(data);
        out.emit(type, queue.name, queue.name, data.endObject());
    }
}
