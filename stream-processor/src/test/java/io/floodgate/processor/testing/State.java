package io.floodgate.processor.testing;

import io.floodgate.processor.kernel.PartitionPosition;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.MemoryKeyValues;
import io.floodgate.processor.store.Stores;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** The stores of a partition in memory. */
public final class State {
    private final MemoryKeyValues payloads;
    private final MemoryKeyValues jobs;
    private final MemoryKeyValues entities;

    public State() {
        this(new MemoryKeyValues(), new MemoryKeyValues(), new MemoryKeyValues());
    }

    private State(MemoryKeyValues payloads, MemoryKeyValues jobs, MemoryKeyValues entities) {
        this.payloads = payloads;
        this.jobs = jobs;
        this.entities = entities;
    }

    /** So that the partition begins by these rules, as if it had been upgraded before anything else. */
    public State upgradedTo(int rules) {
        upgrade(stores(), rules);
        return this;
    }

    public static void upgrade(Stores stores, int rules) {
        PartitionPosition position = new PartitionPosition(stores.entities(), rules, new Undo());
        position.load();
        position.changeRules(rules);
        position.write();
    }

    public Stores stores() {
        return new Stores(payloads, jobs, entities);
    }

    public State copy() {
        return new State(payloads.copy(), jobs.copy(), entities.copy());
    }

    /** Everything stored, to be compared: hexadecimal values by store and hexadecimal key. */
    public Map<String, String> entries() {
        Map<String, String> entries = new TreeMap<>();
        add("payloads/", payloads, entries);
        add("jobs/", jobs, entries);
        add("entities/", entities, entries);
        return entries;
    }

    /** The same without where the partition stands, which changes with every record. */
    public Map<String, String> entriesButPosition() {
        Map<String, String> entries = entries();
        entries.remove("entities/" + HexFormat.of().formatHex(new byte[] {'C'}));
        // Nor when queues were fetched from: any fetch may change that, whether it gets something or not.
        entries.keySet()
                .removeIf(key -> key.startsWith("entities/" + HexFormat.of().formatHex(new byte[] {'h'})));
        return entries;
    }

    private static void add(String store, MemoryKeyValues values, Map<String, String> entries) {
        HexFormat hex = HexFormat.of();
        values.entries().forEach((key, value) -> entries.put(store + hex.formatHex(key), hex.formatHex(value)));
    }
}
