package io.floodgate.processor.kernel;

import io.floodgate.processor.kernel.Timers.Kind;
import io.floodgate.processor.kernel.Timers.Timer;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import io.floodgate.topics.command.ReplyTo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What would be too much for one step: a lost worker's leases, a reset, retention. A background task is stored, and
 * continued a slice at a time: one slice with each tick, as a step of its own; the task that has waited longest is
 * next. While there is work, ticks follow one another: it ends soon, and commands, however many there are, never wait
 * for more than one slice of it each time round.
 */
public final class Work implements Entity {
    /**
     * A background task under way.
     *
     * @param number of this piece among all there ever were in this partition
     * @param kind who carries it on, see {@link #register}
     * @param subject what it is about, such as the name of a worker
     * @param cursor where the next slice begins; empty for the first one
     * @param replyTo who is answered once it is done
     * @param at not before this time
     */
    public record Piece(
            long number,
            String kind,
            String subject,
            byte[] cursor,
            @Nullable ReplyTo replyTo,
            Instant since,
            Instant at,
            long turn) {
        static final StoredForm<Piece> STORED = new StoredForm<>(Piece.class, 1, "a background task");

        private Timer timer() {
            return Timer.work(at, turn);
        }
    }

    /** Carries on one kind of work. */
    public interface Slices {
        /** Executes one slice, of a bounded size. Returns where the next one begins; null when that was the last. */
        byte @Nullable [] next(Piece piece);
    }

    private static final byte[] BEGINNING = {};

    private final KeyValues entities;
    private final Timers timers;
    private final Undo undo;
    private final Effects out;
    private final Map<String, Slices> kinds = new LinkedHashMap<>();
    private final Map<Long, Piece> pieces = new TreeMap<>();
    private final Map<Long, Long> byTurn = new TreeMap<>();

    public Work(KeyValues entities, Timers timers, Undo undo, Effects out) {
        this.entities = entities;
        this.timers = timers;
        this.undo = undo;
        this.out = out;
    }

    /** Says who carries on this kind of work; to be called before anything is loaded. */
    public void register(String kind, Slices slices) {
        kinds.put(kind, slices);
    }

    @Override
    public void load() {
        pieces.clear();
        byTurn.clear();
        byte[] prefix = Keys.allWork();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            enter(Piece.STORED.read(value));
            return true;
        });
    }

    /** Begins a background task; its first slice comes before the next record. */
    public void begin(String kind, String subject, @Nullable ReplyTo replyTo) {
        begin(kind, subject, replyTo, out.now());
    }

    /** Begins a background task whose first slice is not due before this time. */
    public void begin(String kind, String subject, @Nullable ReplyTo replyTo, Instant at) {
        begin(kind, subject, replyTo, at, BEGINNING);
    }

    /** Begins a background task that goes on from here. */
    public void begin(String kind, byte[] cursor) {
        begin(kind, "", null, out.now(), cursor);
    }

    /** Begins a background task that goes on where an earlier one has ended. */
    public void begin(String kind, String subject, @Nullable ReplyTo replyTo, Instant at, byte[] cursor) {
        long number = out.nextNumber();
        keep(new Piece(number, kind, subject, cursor, replyTo, out.now(), at, number));
    }

    /** Returns whether there is work of this kind on this subject. */
    public boolean has(String kind, String subject) {
        return pieces.values().stream().anyMatch(piece -> piece.kind.equals(kind) && piece.subject.equals(subject));
    }

    /** Returns when the first task of this kind goes on; null if there is none. */
    public @Nullable Instant next(String kind) {
        Instant next = null;
        for (Piece piece : pieces.values())
            if (piece.kind.equals(kind) && (next == null || piece.at.isBefore(next))) next = piece.at;
        return next;
    }

    public List<Piece> all() {
        return List.copyOf(pieces.values());
    }

    @Override
    public boolean fire(Timer timer) {
        if (timer.kind() != Kind.WORK) return false;
        Long number = byTurn.get(timer.high());
        Piece piece = number == null ? null : pieces.get(number);
        if (piece != null) carryOn(piece);
        return true;
    }

    private void carryOn(Piece piece) {
        out.about(Quarantine.WORK, Long.toString(piece.number));
        Slices slices = kinds.get(piece.kind);
        if (slices == null)
            throw new IllegalStateException("there is no background task of kind '%s'".formatted(piece.kind));
        out.setReplyTo(piece.replyTo);
        remove(piece);
        byte[] cursor = slices.next(piece);
        if (cursor != null)
            keep(new Piece(
                    piece.number,
                    piece.kind,
                    piece.subject,
                    cursor,
                    piece.replyTo,
                    piece.since,
                    out.now(),
                    out.nextNumber()));
    }

    private void keep(Piece piece) {
        entities.put(Keys.work(piece.number), Piece.STORED.write(piece));
        enter(piece);
        undo.by(() -> leave(piece));
    }

    private void remove(Piece piece) {
        entities.delete(Keys.work(piece.number));
        leave(piece);
        undo.by(() -> enter(piece));
    }

    private void enter(Piece piece) {
        pieces.put(piece.number, piece);
        byTurn.put(piece.turn, piece.number);
        timers.set(piece.timer());
    }

    private void leave(Piece piece) {
        pieces.remove(piece.number);
        byTurn.remove(piece.turn);
        timers.cancel(piece.timer());
    }

    /** Ends all work of one kind. */
    public void end(String kind) {
        for (Piece piece : new ArrayList<>(pieces.values())) if (piece.kind.equals(kind)) remove(piece);
    }

    @Override
    public boolean clear(int most) {
        List<Piece> some = pieces.values().stream().limit(most).toList();
        some.forEach(this::remove);
        return some.size() < most;
    }

    @Override
    public boolean quarantine(Quarantine.Subject subject) {
        Piece piece = find(subject);
        if (piece != null) timers.cancel(piece.timer());
        return piece != null;
    }

    @Override
    public void takeBack(Quarantine.Subject subject) {
        Piece piece = find(subject);
        if (piece != null) timers.set(piece.timer());
    }

    @Override
    public void discard(Quarantine.Subject subject) {
        Piece piece = find(subject);
        if (piece != null) remove(piece);
    }

    private @Nullable Piece find(Quarantine.Subject subject) {
        if (!subject.kind().equals(Quarantine.WORK)) return null;
        return pieces.get(Long.parseLong(subject.name()));
    }

    /** A cursor that is the key where the next slice begins. */
    public static byte[] after(byte[] key) {
        return Arrays.copyOf(key, key.length + 1);
    }
}
