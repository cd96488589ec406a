package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.processor.store.StoredForm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Things whose rules have failed: a job, a waiter, a producer, a worker, a message. Each is taken out of everything
 * that would look at it by itself, so that all other work goes on, and kept until an operator has it tried again, or
 * gives it up.
 */
public final class Quarantine implements Entity {
    public static final String JOB = "job";
    public static final String WAITER = "waiter";
    public static final String PRODUCER = "producer";
    public static final String WORKER = "worker";
    public static final String BATCH = "batch";
    public static final String WORK = "work";
    public static final String MESSAGE = "message";
    public static final String TIMER = "timer";

    /** Most messages that are kept: they are in memory, and looked at after every failure. */
    private static final int MAX_MESSAGES = 100;

    private static final long MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    /** A thing that rules look at. */
    public record Subject(String kind, String name) implements Comparable<Subject> {
        @Override
        public int compareTo(Subject other) {
            int order = kind.compareTo(other.kind);
            return order != 0 ? order : name.compareTo(other.name);
        }
    }

    /**
     * One thing quarantined.
     *
     * @param failure what was thrown
     * @param message the message that could not be executed; null for anything else
     */
    public record Entry(long id, Subject subject, Instant since, String failure, byte @Nullable [] message) {
        static final StoredForm<Entry> STORED = new StoredForm<>(Entry.class, 1, "a quarantined entry");
    }

    private final KeyValues entities;
    private final Undo undo;
    private final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<Subject, Long> bySubject = new TreeMap<>();

    public Quarantine(KeyValues entities, Undo undo) {
        this.entities = entities;
        this.undo = undo;
    }

    @Override
    public void load() {
        entries.clear();
        bySubject.clear();
        byte[] prefix = Keys.allQuarantined();
        entities.scan(prefix, Keys.after(prefix), (key, value) -> {
            enter(Entry.STORED.read(value));
            return true;
        });
    }

    public boolean has(String kind, String name) {
        return bySubject.containsKey(new Subject(kind, name));
    }

    /** Returns whether one more message can be kept. */
    public boolean hasRoomFor(byte @Nullable [] message) {
        int messages = 0;
        long bytes = message == null ? 0 : message.length;
        for (Entry entry : entries.values()) {
            if (!entry.subject.kind.equals(MESSAGE)) continue;
            messages++;
            bytes += entry.message == null ? 0 : entry.message.length;
        }
        return messages < MAX_MESSAGES && bytes <= MAX_MESSAGE_BYTES;
    }

    public int size() {
        return entries.size();
    }

    public List<Entry> all() {
        return new ArrayList<>(entries.values());
    }

    /** Returns up to {@code most} entries behind this one. */
    public List<Entry> after(long id, int most) {
        return entries.tailMap(id, false).values().stream().limit(most).toList();
    }

    public @Nullable Entry find(long id) {
        return entries.get(id);
    }

    public void add(Entry entry) {
        // mutant: stored-set-aside
        entities.put(Keys.quarantine(entry.id), Entry.STORED.write(entry));
        enter(entry);
        undo.by(() -> leave(entry));
    }

    public void remove(Entry entry) {
        entities.delete(Keys.quarantine(entry.id));
        leave(entry);
        undo.by(() -> enter(entry));
    }

    /** Removes a thing that is gone for good, so that nothing is left to be tried again. */
    public void remove(String kind, String name) {
        Long id = bySubject.get(new Subject(kind, name));
        Entry entry = id == null ? null : entries.get(id);
        if (entry != null) remove(entry);
    }

    private void enter(Entry entry) {
        entries.put(entry.id, entry);
        bySubject.put(entry.subject, entry.id);
    }

    private void leave(Entry entry) {
        entries.remove(entry.id);
        bySubject.remove(entry.subject, entry.id);
    }

    @Override
    public boolean clear(int most) {
        all().stream().limit(most).forEach(this::remove);
        return entries.isEmpty();
    }
}
