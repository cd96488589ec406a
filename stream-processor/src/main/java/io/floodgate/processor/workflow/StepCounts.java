package io.floodgate.processor.workflow;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many steps of this partition's workflows have not ended, by reason. They are counted as they are stored. */
final class StepCounts {
    private static final byte[] KEY = Section.of("workflow-count").key("steps");

    private final KeyValues stored;

    StepCounts(KeyValues stored) {
        this.stored = stored;
    }

    /** What one step of the partition changes. */
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
        Map<StepReason, Long> all = read();
        for (StepReason reason : StepReason.values())
            out.number(Math.max(0, all.getOrDefault(reason, 0L) + change.more.getOrDefault(reason, 0L)));
        stored.put(KEY, out.toBytes());
    }

    Map<StepReason, Long> read() {
        Map<StepReason, Long> all = new EnumMap<>(StepReason.class);
        byte[] counts = stored.get(KEY);
        if (counts == null) return all;
        BinaryIn in = new BinaryIn(counts);
        for (StepReason reason : StepReason.values()) all.put(reason, in.number());
        return all;
    }

    void clear() {
        stored.delete(KEY);
    }
}
