package io.floodgate.processor.kernel;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.command.PartitionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The position of a partition: which record of which topic was executed last, by which version of the logic; its time,
 * which never goes back; the numbers it has given out; its settings, and its alarms.
 */
public final class PartitionPosition implements Entity, LogicVersion {
    /** Offset before the first record. */
    public static final long NONE = -1;

    private final KeyValues entities;
    private final byte[] key;
    private final int newest;
    private final Undo undo;
    private final PartitionTime time = new PartitionTime();
    private long numbers;
    private String topicId = "";
    private long offset = NONE;

    private int rules = FIRST;
    private PartitionSettings settings = PartitionSettings.INITIAL;
    private final Map<String, Alarm> alarms = new TreeMap<>();

    /** @param newest the newest rules that this release knows */
    public PartitionPosition(KeyValues entities, int newest, Undo undo) {
        this.entities = entities;
        this.key = Keys.position();
        this.newest = newest;
        this.undo = undo;
    }

    @Override
    public void load() {
        byte[] stored = entities.get(key);
        time.begin(Instant.EPOCH, Duration.ZERO, null);
        numbers = 0;
        topicId = "";
        offset = NONE;
        rules = FIRST;
        settings = PartitionSettings.INITIAL;
        alarms.clear();
        if (stored != null) read(new BinaryIn(stored));
    }

    private void read(BinaryIn in) {
        in.version(newest, () -> "the position of a partition");
        Instant clock = in.time();
        numbers = in.number();
        Duration ahead = Duration.ofMillis(in.number());
        topicId = in.text();
        offset = in.number() - 1;
        rules = in.integer();
        PartitionSettings read = new PartitionSettings(
                Duration.ofMillis(in.number()),
                Duration.ofMillis(in.number()),
                Duration.ofMillis(in.number()),
                Duration.ofMillis(in.number()),
                in.number());
        for (int left = in.integer(); left > 0; left--) {
            Alarm alarm = new Alarm(in.text(), in.time(), in.text());
            alarms.put(alarm.code(), alarm);
        }
        settings = in.flag() ? read.withStrictQueues() : read;
        // mutant: restored-time
        time.begin(clock, ahead, in.hasMore() ? in.time() : null);
    }

    /**
     * Writes the position at the end of a record. The form's version is that of the logic, so that no release opens a
     * partition whose logic it does not know, and any other may.
     */
    public void write() {
        BinaryOut out = new BinaryOut()
                .u8(rules)
                .time(time.now())
                .number(numbers)
                .number(time.skew().toMillis())
                .text(topicId)
                .number(offset + 1)
                .number(rules)
                .number(settings.completed().toMillis())
                .number(settings.discarded().toMillis())
                .number(settings.cancelled().toMillis())
                .number(settings.unusedQueue().toMillis())
                .number(settings.maxMemoryBytes())
                .number(alarms.size());
        for (Alarm alarm : alarms.values())
            out.text(alarm.code()).time(alarm.since()).text(alarm.message());
        out.flag(settings.strictQueues());
        Instant doubtful = time.doubtful();
        if (doubtful != null) out.time(doubtful);
        entities.put(key, out.toBytes());
    }

    // ---- records

    /** The offset of the last record executed; {@link #NONE} before the first. */
    public long offset() {
        return offset;
    }

    public String topicId() {
        return topicId;
    }

    /** Takes the record that is executed now. */
    public void take(long newOffset, String ofTopic) {
        offset = newOffset;
        if (!ofTopic.isEmpty()) topicId = ofTopic;
    }

    // ---- time

    public PartitionTime time() {
        return time;
    }

    // ---- numbers

    /** A number never given out before: for waiters, batches and background tasks. */
    public long nextNumber() {
        undo.by(() -> numbers--);
        return ++numbers;
    }

    // ---- rules

    @Override
    public int version() {
        // mutant: rules-version
        return rules;
    }

    /** The newest rules that this release knows. */
    public int newest() {
        return newest;
    }

    public void changeRules(int version) {
        int before = rules;
        undo.by(() -> rules = before);
        rules = version;
    }

    @Override
    public PartitionSettings settings() {
        return settings;
    }

    public void changeSettings(PartitionSettings changed) {
        PartitionSettings before = settings;
        undo.by(() -> settings = before);
        settings = changed;
    }

    // ---- alarms

    public List<Alarm> alarms() {
        return new ArrayList<>(alarms.values());
    }

    public boolean hasAlarm(String code) {
        return alarms.containsKey(code);
    }

    /** Raises an alarm. Returns false when it is raised already: then it keeps its time. */
    public boolean raise(Alarm alarm) {
        if (alarms.putIfAbsent(alarm.code(), alarm) != null) return false;
        undo.by(() -> alarms.remove(alarm.code()));
        return true;
    }

    public boolean clearAlarm(String code) {
        Alarm cleared = alarms.remove(code);
        if (cleared == null) return false;
        undo.by(() -> alarms.put(code, cleared));
        return true;
    }
}
