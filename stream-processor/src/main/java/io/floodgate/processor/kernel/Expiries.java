package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Section;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is to be forgotten at a time of its own: on disk by these times, and a slice of it with each tick. */
public final class Expiries {
    /** Forgets a slice of what has this name. Returns true once nothing of it is left. */
    @FunctionalInterface
    public interface Forgetting {
        boolean forget(String name);
    }

    private record First(Instant at, String key, String name) {}

    private static final byte[] NOTHING = {};

    private final String kind;
    private final Section section;
    private final KeyValues stored;
    private final Work work;
    private final Forgetting forgetting;
    private final PartitionContext context;

    /** @param kind unique among all */
    public Expiries(String kind, Forgetting forgetting, PartitionContext context) {
        this.kind = kind;
        this.forgetting = forgetting;
        this.context = context;
        section = Section.of(kind);
        stored = context.entities();
        work = context.work();
        work.register(kind, this::forgetSome);
    }

    /** A text whose order is that of the times. */
    public static String time(Instant at) {
        return String.format(Locale.ROOT, "%019d", at.toEpochMilli());
    }

    private static String key(Instant at, String name) {
        return time(at) + "/" + name;
    }

    public void add(Instant at, String name) {
        stored.put(section.key(key(at, name)), NOTHING);
        Instant next = work.next(kind);
        if (next != null && !at.isBefore(next)) return;
        work.end(kind);
        work.begin(kind, "", null, at);
    }

    public void remove(Instant at, String name) {
        stored.delete(section.key(key(at, name)));
    }

    private @Nullable First first(Instant from) {
        First[] first = {null};
        section.scan(stored, time(from), (key, value) -> {
            int slash = key.indexOf('/');
            Instant at = Instant.ofEpochMilli(Long.parseLong(key.substring(0, slash)));
            first[0] = new First(at, key, key.substring(slash + 1));
            return false;
        });
        return first[0];
    }

    private byte @Nullable [] forgetSome(Work.Piece piece) {
        // What is before has been deleted, and a scan would pass over all of it.
        Instant from = piece.cursor().length == 0 ? Instant.EPOCH : new BinaryIn(piece.cursor()).time();
        First first = first(from);
        if (first == null) return null;
        byte[] cursor = new BinaryOut().time(first.at).toBytes();
        if (first.at.isAfter(context.now())) {
            work.begin(kind, "", null, first.at, cursor);
            return null;
        }
        if (forgetting.forget(first.name)) stored.delete(section.key(first.key));
        return cursor;
    }

    /** Deletes up to {@code most} entries for a reset. Returns true once none is left. */
    public boolean clear(int most) {
        work.end(kind);
        return Section.clear(stored, most, section);
    }
}
