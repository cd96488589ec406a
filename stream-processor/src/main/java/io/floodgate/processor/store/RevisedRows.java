package io.floodgate.processor.store;

import io.floodgate.topics.command.RegistryHead;
import io.floodgate.topics.command.ReplyLines;
import io.floodgate.topics.json.JsonOut;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a registry by name, all in one partition, and a revision that rises with each change: those with a copy of all ask
 * whether there is another revision.
 */
public final class RevisedRows<R extends Record> {
    private record Registry(long revision, int rows) {
        static final StoredForm<Registry> STORED = new StoredForm<>(Registry.class, 1, "the head of a registry");
        static final Registry EMPTY = new Registry(0, 0);
    }

    private final KeyValues stored;
    private final Section rows;
    private final byte[] head;
    private final StoredForm<R> form;

    /** @param entity the name of its section */
    public RevisedRows(KeyValues stored, String entity, StoredForm<R> form) {
        this.stored = stored;
        this.form = form;
        rows = Section.of(entity);
        head = Section.of(entity + "-registry").key("");
    }

    public @Nullable R find(String name) {
        byte[] value = stored.get(rows.key(name));
        return value == null ? null : form.read(value);
    }

    /** Returns the first row that fits. */
    public @Nullable R find(Predicate<R> fits) {
        List<R> found = new ArrayList<>();
        rows.scan(stored, (name, value) -> {
            R row = form.read(value);
            if (!fits.test(row)) return true;
            found.add(row);
            return false;
        });
        return found.isEmpty() ? null : found.getFirst();
    }

    public int size() {
        return registry().rows;
    }

    /** Stores a row that copies need not have: the revision stays. */
    public void put(String name, R row) {
        stored.put(rows.key(name), form.write(row));
    }

    /**
     * Raises the revision, for a change that copies have to have. Returns the next one, which was never used before: also not
     * before a reset.
     *
     * @param more rows than before
     */
    public long changed(Instant now, int more) {
        Registry registry = registry();
        long revision = Math.max(registry.revision + 1, now.toEpochMilli());
        stored.put(head, Registry.STORED.write(new Registry(revision, registry.rows + more)));
        return revision;
    }

    public void delete(String name, Instant now) {
        changed(now, -1);
        stored.delete(rows.key(name));
    }

    /** Returns the head, and behind it all rows, unless the caller has them. */
    public JsonOut list(long seen) {
        Registry registry = registry();
        JsonOut lines = ReplyLines.write(new RegistryHead(registry.revision));
        if (seen != registry.revision)
            rows.scan(stored, (name, value) -> {
                lines.newLine().append(ReplyLines.write(form.read(value)));
                return true;
            });
        return lines;
    }

    /** Deletes up to {@code most} rows for a reset. Returns whether none is left. */
    public boolean clear(int most, Instant now) {
        List<String> names = new ArrayList<>();
        rows.scan(stored, (name, value) -> names.add(name) && names.size() < most);
        names.forEach(name -> delete(name, now));
        return names.size() < most;
    }

    private Registry registry() {
        byte[] value = stored.get(head);
        return value == null ? Registry.EMPTY : Registry.STORED.read(value);
    }
}
