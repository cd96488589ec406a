package io.floodgate.processor.queue.state;

import io.floodgate.processor.kernel.Entity;
import io.floodgate.processor.kernel.Undo;
import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.processor.store.KeyValues;
import io.floodgate.processor.store.Keys;
import io.floodgate.topics.queue.QueueConfig;

/** The configuration of all queues, below their own, as this partition received it last. */
public final class DefaultConfig implements Entity {
    private static final int VERSION = 1;

    private final KeyValues entities;
    private final Undo undo;
    private long version;
    private QueueConfig config = QueueConfig.NONE;

    public DefaultConfig(KeyValues entities, Undo undo) {
        this.entities = entities;
        this.undo = undo;
    }

    @Override
    public void load() {
        byte[] stored = entities.get(Keys.defaults());
        version = 0;
        config = QueueConfig.NONE;
        if (stored == null) return;
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the default policy of queues");
        version = in.number();
        config = StoredConfig.read(in.blob());
    }

    public QueueConfig config() {
        return config;
    }

    /** The number of the change; 0 before the first. */
    public long version() {
        return version;
    }

    public void change(long newVersion, QueueConfig changed) {
        set(newVersion, changed);
        entities.put(
                Keys.defaults(),
                new BinaryOut()
                        .u8(VERSION)
                        .number(version)
                        .blob(StoredConfig.write(config))
                        .toBytes());
    }

    @Override
    public boolean clear(int most) {
        if (version == 0) return true;
        set(0, QueueConfig.NONE);
        entities.delete(Keys.defaults());
        return true;
    }

    private void set(long newVersion, QueueConfig changed) {
        long versionBefore = version;
        QueueConfig before = config;
        undo.by(() -> {
            version = versionBefore;
            config = before;
        });
        version = newVersion;
        config = changed;
    }
}
