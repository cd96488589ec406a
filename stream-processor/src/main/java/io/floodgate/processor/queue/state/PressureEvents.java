package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.Effects;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;
import java.util.function.Consumer;

/** Events about full queues, with the figures of the queue or of one of its tenants. */
public record PressureEvents(TenantUse.OverAll overAll, Effects out) {
    public void emitOverflow(Queue queue, Consumer<JsonOut> more) {
        emit("queue.overflow", queue, data -> {
            data.field("policy", queue.config().overflow().wire());
            more.accept(data);
        });
    }

    /** Emits an event with the tenant's figures instead of the queue's. */
    public void emitOfTenant(String type, Queue queue, String tenant, Consumer<JsonOut> more) {
        TenantUse use = TenantUse.of(queue, tenant, overAll);
        JsonOut data = JsonOut.object()
                .field("queue", queue.name)
                .field("depth", use.current())
                .field("bound", use.maximum())
                .field("tenant_id", tenant);
        more.accept(data);
        out.emit(type, queue.name, queue.name, data.endObject());
    }

    public void emit(String type, Queue queue, Consumer<JsonOut> more) {
        QueueConfig config = queue.config();
        JsonOut data = JsonOut.object()
                .field("queue", queue.name)
                .field("depth", queue.counts.depth())
                .field("bound", config.bound());
        if (config.sizeBound() > 0)
            data.field("size_bytes", queue.counts.bytes()).field("max_size_bytes", config.sizeBound());
        more.accept(data);
        out.emit(type, queue.name, queue.name, data.endObject());
    }
}
