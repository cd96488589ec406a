package io.floodgate.gateway.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** The rows of all queues. A status is read when rows are asked for, the first time after it was published. */
public final class QueueRows {
    private final StatusTable table;
    private Map<String, QueueRow> known = Map.of();

    public QueueRows(StatusTable table) {
        this.table = table;
    }

    public synchronized Collection<QueueRow> all() {
        Map<String, QueueRow> now = HashMap.newHashMap(table.size());
        table.forEach(status -> {
            QueueRow row = known.get(status.name());
            now.put(status.name(), row != null && row.isOf(status) ? row : new QueueRow(status));
        });
        known = now;
        return now.values();
    }
}
