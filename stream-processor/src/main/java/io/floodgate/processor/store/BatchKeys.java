package io.floodgate.processor.store;

import io.floodgate.topics.PartitionId;
import java.util.Arrays;

/** The keys of batches and of their reservations, see {@link Keys}. */
public final class BatchKeys {
    private BatchKeys() {}

    public static byte[] batch(long number) {
        return Keys.begin('B').fixed(number).toBytes();
    }

    public static byte[] allBatches() {
        return Keys.kind('B');
    }

    public static byte[] allPatient() {
        return Keys.kind('M');
    }

    public static byte[] reserved(PartitionId coordinator, long batch) {
        return Keys.begin('H').text(coordinator.toString()).fixed(batch).toBytes();
    }

    public static byte[] allReserved() {
        return Keys.kind('H');
    }

    /** Batches that this log has coordinated, and which were stored. */
    public static byte[] decided(long batch) {
        return Keys.begin('J').fixed(batch).toBytes();
    }

    public static byte[] allDecided() {
        return Keys.kind('J');
    }

    /** Room that is kept for the jobs of a queue of that log. */
    public static byte[] expected(PartitionId source, long move) {
        return Keys.begin('m').text(source.toString()).fixed(move).toBytes();
    }

    public static byte[] allExpected() {
        return Keys.kind('m');
    }

    /** Room that is kept for a batch that comes in parts. */
    public static byte[] kept(PartitionId coordinator, long room) {
        return Keys.begin('k').text(coordinator.toString()).fixed(room).toBytes();
    }

    public static byte[] allKept() {
        return Keys.kind('k');
    }

    /** The coordinator in the key of what is reserved for a batch. */
    public static String coordinatorIn(byte[] key) {
        return new BinaryIn(Arrays.copyOfRange(key, 1, key.length)).text();
    }
}
