package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The stored form of an entity that is held in memory: one that looks the same again need not be written. */
public final class LastStored {
    /** Most bytes that are kept twice: larger entities change with every step that touches them. */
    private static final int MOST_BYTES = 512;

    private byte @Nullable [] bytes;

    public void is(byte[] stored) {
        bytes = stored.length <= MOST_BYTES ? stored : null;
    }

    /** Writes it if it has changed. */
    public void write(byte[] key, byte[] now, KeyValues to, Undo undo) {
        byte[] before = bytes;
        if (Arrays.equals(before, now)) return;
        to.put(key, now);
        is(now);
        undo.by(() -> bytes = before);
    }
}
