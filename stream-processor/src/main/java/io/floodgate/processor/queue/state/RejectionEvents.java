package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.queue.state.PublishedCounts.Rejected;
import io.floodgate.topics.json.JsonOut;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Publishes the number of jobs that a queue has rejected since the last time. */
public final class RejectionEvents {
    public static final Duration PAUSE = Duration.ofSeconds(1);

    private final Timers timers;
    private final PressureEvents events;
    private final TenantUse.OverAll overAll;
    private final Effects out;

    public RejectionEvents(Timers timers, TenantUse.OverAll overAll, Effects out) {
        this.overAll = overAll;
        this.timers = timers;
        this.out = out;
        events = new PressureEvents(overAll, out);
    }

    public static Instant due(PublishedCounts told) {
        return told.lastTold().plus(PAUSE);
    }

    public void tell(Queue queue) {
        PublishedCounts told = queue.told();
        timers.cancel(Timer.rejections(due(told), queue.name));
        Set<String> tenants = new LinkedHashSet<>();
        boolean isFull = false;
        for (Map.Entry<Rejected, Long> some : told.unreported().entrySet()) {
            Rejected which = some.getKey();
            if (which.isOfTenant()) tenants.add(which.tenant());
            else isFull = true;
            emitRejected(queue, which, some.getValue());
        }
        for (String tenant : tenants) emitExceeded(queue, tenant);
        if (isFull) events.emitOverflow(queue, data -> {});
        queue.tell(told.toldAt(out.now()));
    }

    private void emitRejected(Queue queue, Rejected which, long count) {
        Consumer<JsonOut> rest = data -> {
            if (!which.type().isEmpty()) data.field("job_type", which.type());
            data.field("strategy", queue.config().overflow().wire()).field("count", count);
        };
        if (which.isOfTenant()) events.emitOfTenant("backpressure.rejected", queue, which.tenant(), rest);
        else events.emit("backpressure.rejected", queue, rest);
    }

    private void emitExceeded(Queue queue, String tenant) {
        TenantUse use = TenantUse.of(queue, tenant, overAll);
        out.emit(
                "tenant.limit_exceeded",
                queue.name,
                queue.name,
                JsonOut.object()
                        .field("tenant_id", tenant)
                        .field("queue", queue.name)
                        .field("limit", use.limit())
                        .field("current", use.current())
                        .field("maximum", use.maximum())
                        .endObject());
    }
}
