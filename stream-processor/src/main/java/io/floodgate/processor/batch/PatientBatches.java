package io.floodgate.processor.batch;

import io.floodgate.processor.kernel.ByRequester;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.CommandCodec;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.ReplyTo;
import io.floodgate.topics.command.UnreadableCommand;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The commands of batches that may have to wait for room in other logs: kept, since all of it is sent again whenever there may
 * be room, and found by who may think better of it.
 */
final class PatientBatches {
    static final int MOST = 10_000;

    /** What all of them want to store. */
    static final long MOST_BYTES = 64L * 1024 * 1024;

    private static final int VERSION = 1;

    private record Kept(long number, @Nullable ReplyTo replyTo, long size) {}

    private final KeyValues entities;
    private final Undo undo;
    private final TreeMap<Long, Kept> byNumber = new TreeMap<>();
    private final ByRequester<Kept> byRequester = new ByRequester<>();
    private long bytes;

    PatientBatches(KeyValues entities, Undo undo) {
        this.entities = entities;
        this.undo = undo;
    }

    void load() {
        byNumber.clear();
        byRequester.clear();
        bytes = 0;
        byte[] prefix = Keys.allPatient();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            BinaryIn in = read(value);
            String replyTo = in.optionalText();
            in.text();
            long size = in.blob().length;
            enter(new Kept(Keys.numberAtEnd(key), replyTo == null ? null : ReplyTo.parse(replyTo), size));
            return true;
        });
    }

    private static BinaryIn read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "a batch that can wait");
        return in;
    }

    /** False if too many are kept already: this one does not wait. */
    boolean keep(long number, Patient batch, @Nullable ReplyTo replyTo, @Nullable Identity by) {
        CommandCodec.Encoded command = CommandCodec.encode(batch);
        long size = command.value().length;
        if (byNumber.size() >= MOST || bytes + size > MOST_BYTES) return false;
        BinaryOut stored = new BinaryOut()
                .u8(VERSION)
                .optional(replyTo == null ? null : replyTo.toString())
                .text(command.op())
                .blob(command.value());
        if (by != null) stored.text(by.write());
        entities.put(Keys.patient(number), stored.toBytes());
        Kept kept = new Kept(number, replyTo, size);
        enter(kept);
        undo.by(() -> leave(kept));
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

    /** Who wants it to be stored. */
    @Nullable
    Identity by(long number) {
        BinaryIn in = kept(number);
        in.text();
        in.blob();
        return Identity.stored(in.hasMore() ? in.text() : null);
    }

    /** From its command on. */
    private BinaryIn kept(long number) {
        byte[] stored = entities.get(Keys.patient(number));
        if (stored == null) throw new IllegalStateException("batch %d is not kept".formatted(number));
        BinaryIn in = read(stored);
        in.optionalText();
        return in;
    }

    void forget(long number) {
        Kept kept = byNumber.get(number);
        if (kept == null) return;
        entities.delete(Keys.patient(number));
        leave(kept);
        undo.by(() -> enter(kept));
    }

    /** Its number; null if it is none of these. */
    @Nullable
    Long find(String requester, long correlation) {
        Kept kept = byRequester.find(requester, correlation);
        return kept == null ? null : (Long) kept.number;
    }

    List<Long> of(String requester) {
        return byRequester.of(requester).stream().map(Kept::number).toList();
    }

    private void enter(Kept kept) {
        byNumber.put(kept.number, kept);
        bytes += kept.size;
        byRequester.put(kept.replyTo, kept);
    }

    private void leave(Kept kept) {
        byNumber.remove(kept.number);
        bytes -= kept.size;
        ReplyTo replyTo = kept.replyTo;
        if (replyTo != null && kept.equals(byRequester.find(replyTo.requester(), replyTo.correlation())))
            byRequester.remove(replyTo);
    }
}
