package io.floodgate.processor.sink;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Handlers;
import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.SinkCommand.Outcome;
import io.floodgate.topics.command.SinkCommand.WantOutcomes;
import io.floodgate.topics.command.SinkCommand.Wanted;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.sink.OutcomeMark;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which outcomes are for sinks, as this partition received it last: their events carry the job. Without sinks, nothing is looked at. */
public final class WantedOutcomes implements Entity {
    private static final byte[] KEY = Section.of("wanted-outcomes").key("");
    private static final StoredForm<WantOutcomes> STORED =
            new StoredForm<>(WantOutcomes.class, 1, "which outcomes sinks are to get");

    private final KeyValues stored;
    private final Undo undo;
    private List<Wanted> sinks = List.of();

    public WantedOutcomes(PartitionContext context) {
        stored = context.entities();
        undo = context.undo();
    }

    @Override
    public void register(Handlers handlers) {
        handlers.on(WantOutcomes.class, message -> {
            set(message.sinks());
            stored.put(KEY, STORED.write(message));
        });
    }

    @Override
    public void load() {
        byte[] value = stored.get(KEY);
        sinks = value == null ? List.of() : STORED.read(value).sinks();
    }

    private void set(List<Wanted> changed) {
        List<Wanted> before = sinks;
        undo.by(() -> sinks = before);
        sinks = changed;
    }

    /**
     * Returns what the event of an outcome is marked with; null if no sink is to get it.
     *
     * @param job as it is shown
     */
    public byte @Nullable [] mark(Outcome outcome, String queue, String jobType, Supplier<JsonOut> job) {
        if (sinks.isEmpty()) return null;
        List<Long> ids = new ArrayList<>();
        for (Wanted each : sinks) if (each.selection().has(outcome, queue, jobType)) ids.add(each.id());
        return ids.isEmpty() ? null : OutcomeMark.write(outcome, ids, job.get());
    }

    @Override
    public boolean clear(int most) {
        if (sinks.isEmpty()) return true;
        set(List.of());
        stored.delete(KEY);
        return true;
    }
}
