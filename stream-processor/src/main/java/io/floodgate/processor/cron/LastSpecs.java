package io.floodgate.processor.cron;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.topics.cron.ScheduleSpec;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The schedules that were read last: one that is due is read when it fires, and again when its queue has the job. */
final class LastSpecs {
    private static final int MOST_BYTES = 256 * 1024;

    private record Entry(ScheduleSpec spec, int bytes) {}

    private final Undo undo;

    /** The one that was added first is the first to go. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private int bytes;

    LastSpecs(Undo undo) {
        this.undo = undo;
    }

    @Nullable
    ScheduleSpec get(String name) {
        Entry entry = entries.get(name);
        return entry == null ? null : entry.spec;
    }

    /** @param size in its stored form */
    void add(String name, ScheduleSpec spec, int size) {
        entries.put(name, new Entry(spec, size));
        bytes += size;
        Iterator<Entry> oldest = entries.values().iterator();
        while (bytes > MOST_BYTES && oldest.hasNext()) {
            bytes -= oldest.next().bytes;
            oldest.remove();
        }
    }

    /** Forgets a schedule that changes. A definition that was read in the same step may never be stored. */
    void forget(String name) {
        drop(name);
        undo.by(() -> drop(name));
    }

    private void drop(String name) {
        Entry entry = entries.remove(name);
        if (entry != null) bytes -= entry.bytes;
    }

    void clear() {
        entries.clear();
        bytes = 0;
    }
}
