package io.floodgate.processor.kernel;

import io.floodgate.processor.store.KeyValues;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What an entity that is held in memory looks like where it is stored: one that looks the same again need not be written. */
public final class LastStored {
    /** What is larger changes with every step that touches it, and is not kept twice. */
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
