package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.PartitionContext;
import io.floodgate.processor.kernel.Timers;
import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The batches that this partition coordinates and that are not settled: as they are stored, and when they are looked at again. */
final class BatchStates {
    private final KeyValues entities;
    private final Timers timers;
    private final PatientBatches patient;

    BatchStates(PartitionContext context, PatientBatches patient) {
        entities = context.entities();
        timers = context.timers();
        this.patient = patient;
    }

    void load() {
        all().forEach((number, batch) -> wake(number, batch.until));
    }

    private Map<Long, BatchState> all() {
        Map<Long, BatchState> all = new TreeMap<>();
        byte[] prefix = BatchKeys.allBatches();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            all.put(Keys.numberAtEnd(key), BatchState.STORED.read(value));
            return true;
        });
        return all;
    }

    boolean has(long number) {
        return entities.get(BatchKeys.batch(number)) != null;
    }

    /** Null if it is settled. */
    @Nullable
    BatchState find(long number) {
        byte[] stored = entities.get(BatchKeys.batch(number));
        return stored == null ? null : BatchState.STORED.read(stored);
    }

    /** One that is not settled. */
    BatchState get(long number) {
        BatchState batch = find(number);
        if (batch == null) throw new IllegalStateException("batch %d is not there".formatted(number));
        return batch;
    }

    /** A new one. */
    void add(long number, BatchState batch) {
        entities.putNew(BatchKeys.batch(number), BatchState.STORED.write(batch));
        wake(number, batch.until);
    }

    void save(long number, BatchState batch) {
        entities.put(BatchKeys.batch(number), BatchState.STORED.write(batch));
        wake(number, batch.until);
    }

    private void wake(long number, Instant until) {
        timers.set(Timer.batch(until, Long.toString(number)));
    }

    void setUntil(long number, BatchState batch, Instant until) {
        sleep(number, batch);
        batch.until = until;
        save(number, batch);
    }

    private void sleep(long number, BatchState batch) {
        timers.cancel(Timer.batch(batch.until, Long.toString(number)));
    }

    /** Holds a batch that all participants have prepared: its command is not needed any more. */
    void hold(long number, BatchState batch, Instant until) {
        sleep(number, batch);
        patient.forget(number);
        batch.beHeld(until);
        save(number, batch);
    }

    void forget(long number, BatchState batch) {
        entities.delete(BatchKeys.batch(number));
        patient.forget(number);
        sleep(number, batch);
    }

    /** Forgets up to this number; true once none is left. */
    boolean clear(int most) {
        List<Long> some = all().keySet().stream().limit(most).toList();
        for (long number : some) {
            entities.delete(BatchKeys.batch(number));
            timers.cancelAll(Kind.BATCH, Long.toString(number));
            patient.forget(number);
        }
        return some.size() < most;
    }
}
