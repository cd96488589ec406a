package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.ReplyTo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of batches that may have to wait for capacity in other partitions. All of a command is sent again
 * whenever there may be capacity. A requester that withdraws a batch finds it here.
 */
final class PatientBatches {
    static final int MOST = 10_000;

    /** Most bytes of all these commands. */
    static final long MOST_BYTES = 64L * 1024 * 1024;

    record Kept(long number, @Nullable ReplyTo replyTo, long size) implements WaitRegistry.Registered {}

    /** @param by the identity under which the batch is stored */
    record Stored(
            Kept kept,
            CommandCodec.Encoded encoded,
            @Nullable Identity by) {
        private static final StoredForm<Stored> STORED = new StoredForm<>(Stored.class, 1, "a batch that can wait");

        Patient command() {
            return (Patient) encoded.decode();
        }
    }

    private final WaitRegistry<Kept> registry;
    private long bytes;

    PatientBatches(KeyValues entities, Undo undo) {
        registry = new WaitRegistry<>(
                entities,
                BatchKeys.allPatient(),
                stored -> Stored.STORED.read(stored).kept,
                undo,
                this::enter,
                this::leave);
    }

    void load() {
        bytes = 0;
        registry.load();
    }

    private Kept enter(Kept kept) {
        bytes += kept.size;
        return kept;
    }

    private void leave(Kept kept) {
        bytes -= kept.size;
    }

    /** Keeps the command. Returns false if too many are kept already: then the batch does not wait. */
    boolean keep(long number, Patient batch, @Nullable ReplyTo replyTo, @Nullable Identity by) {
        CommandCodec.Encoded command = CommandCodec.encode(batch);
        long size = command.value().length;
        if (registry.size() >= MOST || bytes + size > MOST_BYTES) return false;
        Kept kept = new Kept(number, replyTo, size);
        registry.add(kept, Stored.STORED.write(new Stored(kept, command, by)));
        return true;
    }

    Stored stored(long number) {
        byte[] stored = registry.stored(number);
        if (stored == null) throw new IllegalStateException("batch %d is not kept".formatted(number));
        return Stored.STORED.read(stored);
    }

    void forget(long number) {
        Kept kept = registry.find(number);
        if (kept != null) registry.remove(kept);
    }

    /** Returns the number of the batch; null if there is none for this request. */
    @Nullable
    Long find(String requester, long correlation) {
        Kept kept = registry.find(requester, correlation);
        return kept == null ? null : (Long) kept.number;
    }

    List<Long> of(String requester) {
        return registry.of(requester).stream().map(Kept::number).toList();
    }
}
