package io.floodgate.processor.workflow;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The number of steps of this partition's workflows that have not ended, by reason. They are counted as they are
 * stored, and read with each record.
 */
final class StepCounts {
    private static final byte[] KEY = Section.of("workflow-count").key("steps");

    private final KeyValues stored;
    private final Undo undo;
    private Map<StepReason, Long> counts = new EnumMap<>(StepReason.class);

    StepCounts(KeyValues stored, Undo undo) {
        this.stored = stored;
        this.undo = undo;
    }

    private void set(Map<StepReason, Long> now) {
        Map<StepReason, Long> before = counts;
        counts = now;
        undo.by(() -> counts = before);
    }

    /** The change of the counts by one step of the partition. */
    static final class Change {
        private final Map<StepReason, Long> more = new EnumMap<>(StepReason.class);

        void add(@Nullable StepReason reason, int by) {
            if (reason != null) more.merge(reason, (long) by, Long::sum);
        }
    }

    void add(Change change) {
        change.more.values().removeIf(by -> by == 0);
        if (change.more.isEmpty()) return;
        BinaryOut out = new BinaryOut();
        Map<StepReason, Long> all = new EnumMap<>(StepReason.class);
        for (StepReason reason : StepReason.values()) {
            long count = Math.max(0, counts.getOrDefault(reason, 0L) + change.more.getOrDefault(reason, 0L));
            all.put(reason, count);
            out.number(count);
        }
        stored.put(KEY, out.toBytes());
        set(all);
    }

    /** Returns the counts, which must not be changed. */
    Map<StepReason, Long> all() {
        return counts;
    }

    void load() {
        counts = new EnumMap<>(StepReason.class);
        byte[] value = stored.get(KEY);
        if (value == null) return;
        BinaryIn in = new BinaryIn(value);
        for (StepReason reason : StepReason.values()) counts.put(reason, in.number());
    }

    void clear() {
        stored.delete(KEY);
        set(new EnumMap<>(StepReason.class));
    }
}
