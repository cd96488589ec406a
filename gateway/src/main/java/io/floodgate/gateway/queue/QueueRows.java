package io.floodgate.gateway.queue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The rows of all queues, in the order of their names. A status is read when rows are asked for, the first time after it was published.
 */
public final class QueueRows {
    private final StatusTable table;
    private List<QueueRow> known = List.of();

    public QueueRows(StatusTable table) {
        this.table = table;
    }

    /** Statuses and known rows have the same order: most of 100,000 rows are found where they are expected. */
    public synchronized List<QueueRow> all() {
        List<QueueRow> now = new ArrayList<>(table.size());
        int[] next = {0};
        table.forEach(status -> {
            while (next[0] < known.size() && known.get(next[0]).name().compareTo(status.name()) < 0) next[0]++;
            QueueRow row = next[0] < known.size() ? known.get(next[0]) : null;
            if (row == null || !row.name().equals(status.name())) now.add(new QueueRow(status));
            else {
                next[0]++;
                now.add(row.isOf(status) ? row : new QueueRow(status));
            }
        });
        known = Collections.unmodifiableList(now);
        return known;
    }
}
