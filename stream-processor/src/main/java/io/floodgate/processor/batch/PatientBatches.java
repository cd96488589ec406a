package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.kernel.WaitRegistry;
import io.floodgate.processor.store.BatchKeys;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
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

    private static final int VERSION = 1;

    private record Kept(long number, @Nullable ReplyTo replyTo, long size) implements WaitRegistry.Registered {}

    private final WaitRegistry<Kept> registry;
    private long bytes;

    PatientBatches(KeyValues entities, Undo undo) {
        registry = new WaitRegistry<>(
                entities, BatchKeys.allPatient(), PatientBatches::read, undo, this::enter, this::leave);
    }

    void load() {
        bytes = 0;
        registry.load();
    }

    private static Kept read(long number, byte[] stored) {
        BinaryIn in = read(stored);
        String replyTo = in.optionalText();
        in.text();
        long size = in.blob().length;
        return new Kept(number, replyTo == null ? null : ReplyTo.parse(replyTo), size);
    }

    private Kept enter(Kept kept) {
        bytes += kept.size;
        return kept;
    }

    private void leave(Kept kept) {
        bytes -= kept.size;
    }

    private static BinaryIn read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a batch that can wait");
        return in;
    }

    /** Keeps the command. Returns false if too many are kept already: then the batch does not wait. */
    boolean keep(long number, Patient batch, @Nullable ReplyTo replyTo, @Nullable Identity by) {
        CommandCodec.Encoded command = CommandCodec.encode(batch);
        long size = command.value().length;
        if (registry.size() >= MOST || bytes + size > MOST_BYTES) return false;
        BinaryOut stored = new BinaryOut()
                .u8(VERSION)
                .optional(replyTo == null ? null : replyTo.toString())
                .text(command.op())
                .blob(command.value());
        if (by != null) stored.text(by.write());
        registry.add(new Kept(number, replyTo, size), stored.toBytes());
        return true;
    }

    Patient command(long number) {
        BinaryIn in = kept(number);
        String op = in.text();
        try {
            return (Patient) CommandCodec.decode(op, in.blob());
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("a batch that could be read before", unreadable);
        }
    }

    /** Returns the identity under which the batch is stored. */
    @Nullable
    Identity by(long number) {
        BinaryIn in = kept(number);
        in.text();
        in.blob();
        return Identity.stored(in.hasMore() ? in.text() : null);
    }

    /** Returns the stored entry, from its command on. */
    private BinaryIn kept(long number) {
        byte[] stored = registry.stored(number);
        if (stored == null) throw new IllegalStateException("batch %d is not kept".formatted(number));
        BinaryIn in = read(stored);
        in.optionalText();
        return in;
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
