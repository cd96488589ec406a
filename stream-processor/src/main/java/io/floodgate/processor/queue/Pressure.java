package io.floodgate.processor.queue;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * What is told of full queues. Crossing a level is told once; of refusals, of which there may be a million, the first one at
 * once, and then how many there were, once a second at most.
 */
final class Pressure {
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** The levels of the documentation; a queue has to fall some way below one before it is told again. */
    private static final double WARNING = 0.80;

    private static final double WARNING_ENDS = 0.75;
    private static final double CRITICAL = 0.95;
    private static final double CRITICAL_ENDS = 0.90;

    private static final double ROUNDING = 10_000;

    private final Effects out;
    private final Queues queues;

    Pressure(Queues queues, Effects out) {
        this.queues = queues;
        this.out = out;
    }

    /** To four decimals; above 1 once a bound was lowered. */
    static double of(Queue queue) {
        double exact = queue.config().pressure(queue.counts.depth(), queue.counts.bytes());
        return rounded(exact);
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
        double now = of(queue);
        boolean warned = config.isBounded() && now >= config.threshold();
        boolean full = now >= 1;
        int level = level(before.level(), now);
        if (warned && !before.warned()) emit("backpressure.warning", queue, data -> {});
        if (!warned && before.warned()) emit("backpressure.cleared", queue, data -> {});
        if (level > before.level())
            emit(
                    level == 1 ? "queue.pressure_warning" : "queue.pressure_critical",
                    queue,
                    data -> data.field("pressure", now));
        if (full && !before.full())
            emit("queue.full", queue, data -> {
                if (config.depthBound() > 0) data.field("max_size", config.depthBound());
            });
        QueueTold after = before.at(level, warned, full);
        boolean owed = after.untold() > 0 && !full;
        if (!after.equals(before)) queue.tell(after);
        if (owed && isTime(after)) tellRejected(queue, "");
    }

    private static int level(int before, double now) {
        if (now > CRITICAL || (before == 2 && now >= CRITICAL_ENDS)) return 2;
        return now > WARNING || (before >= 1 && now >= WARNING_ENDS) ? 1 : 0;
    }

    /** So many jobs were refused together. */
    void rejected(Queue queue, long jobs, String type) {
        note(queue, jobs);
        if (isTime(queue.told())) tellRejected(queue, type);
    }

    /** The same, because of the bound of one of the tenants: with the tenant's figures. */
    void rejected(Queue queue, long jobs, String type, TenantDemand demand, String tenant) {
        note(queue, jobs);
        if (!isTime(queue.told())) return;
        long depth = TenantDemand.depth(queue, tenant);
        long bound = demand.bound(tenant);
        out.emit(
                "backpressure.rejected",
                queue.name,
                queue.name,
                new JsonOut()
                        .beginObject()
                        .field("queue", queue.name)
                        .field("depth", depth)
                        .field("bound", bound)
                        .field("tenant_id", tenant)
                        .field("job_type", type)
                        .field("strategy", queue.config().overflow().wire())
                        .field("count", queue.told().untold())
                        .endObject());
        out.emit(
                "tenant.limit_exceeded",
                queue.name,
                queue.name,
                new JsonOut()
                        .beginObject()
                        .field("tenant_id", tenant)
                        .field("queue", queue.name)
                        .field("limit", TenantDemand.LIMIT)
                        .field("current", depth)
                        .field("maximum", bound)
                        .endObject());
        queue.tell(queue.told().toldAt(out.now()));
    }

    private void note(Queue queue, long jobs) {
        queue.tell(queue.told().rejected(jobs));
        queues.changed(queue);
    }

    private boolean isTime(QueueTold told) {
        return !out.now().isBefore(told.lastTold().plus(PAUSE));
    }

    /** @param type of the job that was refused just now */
    private void tellRejected(Queue queue, String type) {
        emit("backpressure.rejected", queue, data -> {
            if (!type.isEmpty()) data.field("job_type", type);
            data.field("strategy", queue.config().overflow().wire())
                    .field("count", queue.told().untold());
        });
        emit(
                "queue.overflow",
                queue,
                data -> data.field("policy", queue.config().overflow().wire()));
        queue.tell(queue.told().toldAt(out.now()));
    }

    /** The job has made room. */
    void dropped(Queue queue, Job job) {
        queue.tell(queue.told().droppedOne());
        emit(
                "backpressure.dropped",
                queue,
                data -> data.field("job_id", job.id.toString()).field("job_type", job.type));
        emit(
                "queue.overflow",
                queue,
                data -> data.field("policy", queue.config().overflow().wire()).field("job_id", job.id.toString()));
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
