package io.floodgate.processor.queue.bound;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.state.JobRecord;
import io.floodgate.processor.queue.state.PressureEvents;
import io.floodgate.processor.queue.state.PressureLevels;
import io.floodgate.processor.queue.state.PublishedCounts;
import io.floodgate.processor.queue.state.PublishedCounts.Rejected;
import io.floodgate.processor.queue.state.Queue;
import io.floodgate.processor.queue.state.Queues;
import io.floodgate.processor.queue.state.RejectionEvents;
import io.floodgate.processor.queue.state.TenantUse;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events about full queues. Crossing a level is one event. Of rejections, which may be a million, the first is an event
 * at once; then there is one a second at most, with the number for each type and tenant.
 */
public final class Pressure implements Entity {
    /** The levels of the documentation; a queue has to fall some way below one before the next event. */
    private static final double WARNING = 0.80;

    private static final double WARNING_ENDS = 0.75;
    private static final double CRITICAL = 0.95;
    private static final double CRITICAL_ENDS = 0.90;

    /** Most kinds of rejections that are remembered to be reported together. */
    private static final int MOST_UNREPORTED = 20;

    private final Queues queues;
    private final Timers timers;
    private final RejectionEvents rejections;
    private final PressureEvents events;
    private final Effects out;

    public Pressure(Queues queues, Timers timers, TenantUse.OverAll overAll, Effects out) {
        this.queues = queues;
        this.timers = timers;
        this.out = out;
        rejections = new RejectionEvents(timers, overAll, out);
        events = new PressureEvents(overAll, out);
    }

    /** Returns the exact fill level for comparisons: the one that is shown is cut off, and a little too small. */
    private static double exact(Queue queue) {
        return queue.config().pressure(queue.counts.depth(), queue.counts.bytes());
    }

    /** Reports at the end of a step which queues have crossed a level. */
    public void tell(Collection<Queue> changed) {
        for (Queue queue : changed)
            if (queue.config().isBounded() || queue.told().isAny()) tell(queue);
    }

    private void tell(Queue queue) {
        QueueConfig config = queue.config();
        PublishedCounts before = queue.told();
        double now = exact(queue);
        boolean warned = config.isBounded() && now >= config.threshold();
        boolean full = now >= 1;
        int level = level(before.level(), now);
        if (warned && !before.warned()) events.emit("backpressure.warning", queue, data -> {});
        if (!warned && before.warned()) events.emit("backpressure.cleared", queue, data -> {});
        // A batch may cross both at once.
        if (level >= 1 && before.level() < 1) emitLevel("queue.pressure_warning", queue);
        if (level == 2 && before.level() < 2) emitLevel("queue.pressure_critical", queue);
        if (full && !before.full())
            events.emit("queue.full", queue, data -> {
                if (config.depthBound() > 0) data.field("max_size", config.depthBound());
            });
        PublishedCounts after = before.at(level, warned, full ? out.now() : null);
        if (!after.equals(before)) queue.tell(after);
    }

    private void emitLevel(String type, Queue queue) {
        events.emit(type, queue, data -> data.field("pressure", PressureLevels.of(queue)));
    }

    private static int level(int before, double now) {
        if (now > CRITICAL || (before == 2 && now >= CRITICAL_ENDS)) return 2;
        return now > WARNING || (before >= 1 && now >= WARNING_ENDS) ? 1 : 0;
    }

    /**
     * Jobs were rejected together. The first are reported at once, and more of them a second later.
     *
     * @param tenant whose bound is the reason; null if that of the queue is
     * @param isOffered they have not been counted before as jobs that wait for capacity
     */
    void rejected(Queue queue, long jobs, String type, @Nullable String tenant, boolean isOffered) {
        queue.tell(queue.told().rejected(new Rejected(tenant == null ? Rejected.OF_QUEUE : tenant, type), jobs));
        if (isOffered) queue.isOffered(jobs, out.now());
        queues.changed(queue);
        PublishedCounts told = queue.told();
        boolean isTime = !out.now().isBefore(RejectionEvents.due(told));
        // Nothing is remembered of a queue that is not there.
        if (isTime || told.unreported().size() >= MOST_UNREPORTED || !queues.has(queue.name)) rejections.tell(queue);
        else timers.set(Timer.rejections(RejectionEvents.due(told), queue.name));
    }

    /** Sets the timers of all reports that are due later. */
    @Override
    public void load() {
        for (Queue queue : queues.all())
            if (!queue.told().unreported().isEmpty())
                timers.set(Timer.rejections(RejectionEvents.due(queue.told()), queue.name));
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Timers.Kind.REJECTIONS) return false;
        Queue queue = queues.find(timer.name());
        if (queue == null || queue.told().unreported().isEmpty()) return true;
        queues.changed(queue);
        rejections.tell(queue);
        return true;
    }

    /**
     * Reports that a producer has begun to wait for capacity, and is the first one.
     *
     * @param tenant whose bound is the reason; null if that of the queue is
     */
    void blocked(Queue queue, @Nullable String tenant) {
        if (out.now().isBefore(queue.told().lastBlocked().plus(RejectionEvents.PAUSE))) return;
        Consumer<JsonOut> policy =
                data -> data.field("policy", queue.config().overflow().wire());
        if (tenant == null) events.emit("queue.overflow", queue, policy);
        else events.emitOfTenant("queue.overflow", queue, tenant, policy);
        queue.tell(queue.told().blockedAt(out.now()));
    }

    /** Reports that the job was dropped for another one. */
    void dropped(Queue queue, JobRecord job) {
        queue.tell(queue.told().droppedOne());
        queue.throughput().drop(out.now());
        events.emit(
                "backpressure.dropped",
                queue,
                data -> data.field("job_id", job.id.toString()).field("job_type", job.type));
        events.emitOverflow(queue, data -> data.field("job_id", job.id.toString()));
    }
}
