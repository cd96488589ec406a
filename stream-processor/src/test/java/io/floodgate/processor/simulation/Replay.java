package io.floodgate.processor.simulation;

import io.floodgate.processor.partition.PartitionEngine;
import io.floodgate.processor.partition.PartitionRecord;
import io.floodgate.processor.simulation.Instance.Snapshot;
import io.floodgate.processor.store.Stores;
import java.util.Map;

/** Executes a recorded log again, and may lose its memory on the way. */
final class Replay {
    private final Recording recording;
    private final Stores stores;
    private PartitionEngine engine;
    private int position;

    Replay(Recording recording) {
        this.recording = recording;
        stores = Snapshot.EMPTY.copy();
        engine = open();
    }

    private Replay(Replay original) {
        recording = original.recording;
        stores = new Snapshot(original.stores, 0).copy();
        engine = open();
        position = original.position;
    }

    private PartitionEngine open() {
        return new PartitionEngine(recording.log(), recording.routing(), stores, Cluster.NEXT);
    }

    /** Another one that begins here with copied stores: the original goes on undisturbed. */
    Replay cutHere() {
        return new Replay(this);
    }

    /** The engine is thrown away; a new one makes do with what is stored. */
    void loseMemory() {
        engine = open();
    }

    boolean hasNext() {
        return position < recording.records().size();
    }

    /** Executes the next record; it must cause what it caused when the partition was recorded. */
    void next() {
        PartitionRecord record = recording.records().get(position);
        String print = Prints.of(engine.apply(record));
        String recorded = recording.effects().get(position);
        if (!print.equals(recorded))
            throw new AssertionError("log %s, offset %d, '%s': %s"
                    .formatted(recording.log(), position, record.op(), Prints.difference(recorded, print)));
        position++;
        // What is appended may be deleted, sooner or later: no rule looks.
        engine.unsent().stream()
                .filter(message -> (message.sequence() + position) % 3 == 0)
                .forEach(message -> engine.appended(message.to(), message.sequence()));
    }

    Replay toTheEnd() {
        while (hasNext()) next();
        return this;
    }

    int position() {
        return position;
    }

    Map<String, String> state() {
        return Prints.of(stores);
    }

    void mustHaveTheStateOf(Replay other) {
        Map<String, String> expected = other.state();
        Map<String, String> actual = state();
        if (!expected.equals(actual))
            throw new AssertionError("log %s, at offset %d, the stores differ:%s"
                    .formatted(recording.log(), position, Prints.difference(expected, actual)));
        if (!engine.audit().isEmpty()) throw new AssertionError(engine.audit());
    }
}
